import { InvalidArgumentError } from 'commander';

/** A whole number of 0 or more. Throws what commander turns into a usage error. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 0 or more.');
  return Number(text);
}

/** A whole number of 1 or more. */
export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be 1 or more.');
  return value;
}

/** A whole number from `least` to `most`. */
export function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** A number greater than 0, such as 0.5. */
export function positiveDecimal(text: string): number {
  const value = Number(text);
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text) || value === 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** `a,b,c` added to what an earlier use of the option gave; a comma inside a name is written `\,`. */
export function nameList(text: string, earlier: readonly string[] = []): string[] {
  const names = text.split(/(?<!\\),/).map((name) => name.trim().replaceAll('\\,', ','));
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.');
  return [...earlier, ...names];
}
