import { memo } from 'react';
import { plain } from '../ui/format.ts';
import { ansiParts, type AnsiPart } from './ansi.ts';

interface Props {
  readonly index: number;
  /** Undefined while it is on its way. */
  readonly line: string | undefined;
  readonly found: string;
  readonly current: boolean;
  readonly digits: number;
}

/** One row of a log: its number, its text in the colours it was printed in, and what was searched. */
export const LogRow = memo(function LogRow({ index, line, found, current, digits }: Props) {
  return (
    <div className={current ? 'log-row current' : 'log-row'}>
      <span className="log-number" style={{ width: `${digits + 1}ch` }}>
        {index + 1}
      </span>
      {line === undefined ? (
        <span className="log-waits" />
      ) : (
        ansiParts(line).map((part, at) => <Part key={at} part={part} found={found} />)
      )}
    </div>
  );
});

function Part({ part, found }: { readonly part: AnsiPart; readonly found: string }) {
  const looks = [
    part.color === undefined ? '' : `ansi-${part.color}`,
    part.bold ? 'ansi-bold' : '',
    part.dim ? 'ansi-dim' : '',
    part.underline ? 'ansi-underline' : '',
  ].filter((look) => look !== '');
  const text = plain(part.text);
  return (
    <span className={looks.length === 0 ? undefined : looks.join(' ')}>
      {found === '' ? text : <Marked text={text} found={found} />}
    </span>
  );
}

function Marked({ text, found }: { readonly text: string; readonly found: string }) {
  const within = found === found.toLowerCase() ? text.toLowerCase() : text;
  const pieces = [];
  let from = 0;
  for (let at = within.indexOf(found); at !== -1; at = within.indexOf(found, from)) {
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + found.length)}</mark>);
    from = at + found.length;
  }
  return [...pieces, text.slice(from)];
}
