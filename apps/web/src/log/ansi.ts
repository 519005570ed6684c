/** A piece of a row in one look. */
export interface AnsiPart {
  readonly text: string;
  /** One of the 16 colours of a terminal, that the theme defines; undefined for the usual one. */
  readonly color: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underline: boolean;
}

type Look = Omit<AnsiPart, 'text'>;

const usual: Look = { color: undefined, bold: false, dim: false, underline: false };

/**
 * All that begins with an escape: CSI sequences, strings such as titles and links up to their end, and short ones. What is
 * cut off at the end of a row is dropped with them.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]|$)`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)`,
    String.raw`\u001b(?:[ -/]*[0-~])?`,
    String.raw`\u009b`,
  ].join('|'),
  'g',
);

/** A row of output as text in looks. Colours are kept; everything else that a terminal would obey is dropped. */
export function ansiParts(row: string): AnsiPart[] {
  const line = lastWriting(row);
  const parts: AnsiPart[] = [];
  let look = usual;
  let from = 0;
  const take = (to: number) => {
    if (to > from) parts.push({ text: line.slice(from, to), ...look });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    take(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') look = lookAfter(look, match[1] ?? '');
  }
  take(line.length);
  return parts;
}

/** The text of a row without looks. */
export function ansiText(row: string): string {
  return ansiParts(row)
    .map(({ text }) => text)
    .join('');
}

/** A progress bar writes over itself with carriage returns: what stands there in the end is shown. */
function lastWriting(row: string): string {
  const trimmed = row.replace(/\r+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('\r') + 1);
}

/** At most this many numbers of one sequence are read. */
const MAX_CODES = 32;

function lookAfter(before: Look, codes: string): Look {
  let look = before;
  const numbers = codes.split(/[;:]/).slice(0, MAX_CODES).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at]!;
    if (code === 38 || code === 48) {
      const isIndexed = numbers[at + 1] === 5;
      const color = isIndexed ? indexed(numbers[at + 2] ?? 0) : nearest(numbers.slice(at + 2, at + 5));
      if (code === 38) look = { ...look, color };
      at += isIndexed ? 2 : 4;
    } else look = after(look, code);
  }
  return look;
}

function after(look: Look, code: number): Look {
  if (code === 0) return usual;
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, dim: true };
  if (code === 4) return { ...look, underline: true };
  if (code === 22) return { ...look, bold: false, dim: false };
  if (code === 24) return { ...look, underline: false };
  if (code === 39) return { ...look, color: undefined };
  if (code >= 30 && code <= 37) return { ...look, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...look, color: code - 82 };
  return look;
}

/** Of 256: 16 named ones, a cube of 6 × 6 × 6, and greys. */
function indexed(index: number): number | undefined {
  if (!(index >= 0 && index <= 255)) return undefined;
  if (index < 16) return index;
  if (index >= 232) return nearest([(index - 232) * 10 + 8, (index - 232) * 10 + 8, (index - 232) * 10 + 8]);
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const place = index - 16;
  return nearest([level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6)]);
}

/** The named colour of that hue: those of the theme can be read in light and dark, any other may not. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const brightest = Math.max(red, green, blue);
  const darkest = Math.min(red, green, blue);
  if (brightest - darkest < 40) return brightest > 160 ? 7 : 8;
  const middle = (brightest + darkest) / 2;
  const hue = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return hue + (brightest > 200 ? 8 : 0);
}
