export function promisedIds(root: string): Map<string, string>;
export function citedIds(root: string): Map<string, string[]>;
