import { describe, expect, it } from 'vitest';
import { annotatedShape, type NameResolver } from '../src/annotation.ts';

const names: NameResolver = {
  alias: (name) => ({ Row: 'Mapping[str, Any]', Table: 'List[Row]', Loop: 'Loop' })[name],
  classKind: (name) => ({ Record: 'mapping' as const, Penguin: 'object' as const })[name],
};

const text = { kind: 'text' };
const row = { kind: 'row' };
const number = { kind: 'number' };
const list = (of: unknown) => ({ kind: 'list', of });

describe('what an annotation says', () => {
  it.each<readonly [string, unknown]>([
    ['str', text],
    ['"str"', text],
    ['float', number],
    ['Dict[str, float]', row],
    ['typing.Mapping[str, Any]', row],
    ['collections.abc.Sequence[str]', list(text)],
    ['list[list[float]]', list(list(number))],
    ['Tuple[float, ...]', list(number)],
    ['Optional[str]', text],
    ['None | str', text],
    ['int | float', number],
    ['str | list', { kind: 'unknown' }],
    ['Row', row],
    ['Table', list(row)],
    ['Sequence[Record]', list(row)],
    ['Sequence[Penguin]', list({ kind: 'unsupported', what: 'objects of its class Penguin' })],
    ['pathlib.Path', { kind: 'unsupported', what: 'a file' }],
    ['pd.DataFrame', { kind: 'frame' }],
    ['pd.Series', { kind: 'unsupported', what: 'a pd.Series' }],
    ['np.ndarray', { kind: 'array' }],
    ['Sequence', list({ kind: 'unknown' })],
    ['Any', { kind: 'unknown' }],
    ['Loop', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['List[', list({ kind: 'unknown' })],
    ['lambda: 3', { kind: 'unknown' }],
  ])('%s', (annotation, expected) => {
    expect(annotatedShape(annotation, names)).toEqual(expected);
  });
});
