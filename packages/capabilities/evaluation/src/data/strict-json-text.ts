import { JsonNumber, type StrictJson } from './strict-json.ts';

/** A parsed value as JSON again, with every number as it was written. */
export function strictJsonText(value: StrictJson): string {
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, StrictJson>)];
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${strictJsonText(member)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${(value as readonly StrictJson[]).map(strictJsonText).join(',')}]`;
  return JSON.stringify(value);
}
