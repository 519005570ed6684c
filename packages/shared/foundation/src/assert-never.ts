/** Makes a switch over a union exhaustive: the compiler refuses a call while a case is missing. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`);
}
