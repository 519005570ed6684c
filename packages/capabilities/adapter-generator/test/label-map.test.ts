import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { labelMapText, parseLabelMap, unknownLabels } from '../src/index.ts';

describe('what is written behind --map', () => {
  it('is pairs of answer and label', () => {
    verifies('adapter.labels-by-evidence');
    expect(parseLabelMap('0=setosa, 1=versicolor')).toEqual({
      key: null,
      threshold: null,
      values: [
        ['0', 'setosa'],
        ['1', 'versicolor'],
      ],
      isFolded: false,
    });
    expect(parseLabelMap('{"0": "a,b", "1": 2}').values).toEqual([
      ['0', 'a,b'],
      ['1', '2'],
    ]);
    expect(parseLabelMap(String.raw`a\,b=c\=d`).values).toEqual([['a,b', 'c=d']]);
  });

  it('is a threshold with its two sides', () => {
    expect(parseLabelMap('key=compound,threshold=-0.05,high=pos,low=neg')).toEqual({
      key: 'compound',
      threshold: { at: -0.05, high: 'pos', low: 'neg' },
      values: [],
      isFolded: false,
    });
  });

  it('is written as it is read', () => {
    for (const text of ['0=setosa,1=versicolor', 'key=score,threshold=0.5,high=spam,low=ham', String.raw`a\,b=c\=d`])
      expect(labelMapText(parseLabelMap(text))).toBe(text);
  });

  it.each([
    ['', 'is not written as answer=label'],
    ['spam', 'is not written as answer=label'],
    ['0=a,0=b', '"0" is given twice'],
    ['threshold=0.5,high=a', 'a threshold needs exactly high= and low='],
    ['threshold=x,high=a,low=b', '"x" is no number'],
    ['{"0": [1]}', 'neither a text nor a number'],
    ['{"0": ', 'it is not JSON'],
    ['key=label', 'it names no label'],
  ])('refuses %j', (text, why) => {
    expect(() => parseLabelMap(text)).toThrowError(
      expect.objectContaining({ code: 'invalid_request', why: expect.stringContaining(why) as unknown }) as Error,
    );
  });

  it('names labels that the data does not have', () => {
    expect(unknownLabels(parseLabelMap('0=ham,1=spm'), ['ham', 'spam'])).toEqual(['spm']);
    expect(unknownLabels(parseLabelMap('threshold=1,high=spam,low=ham'), ['ham', 'spam'])).toEqual([]);
  });
});
