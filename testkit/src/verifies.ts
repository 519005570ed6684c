/**
 * Names the promised behaviours that a test proves. The ids stand in test/requirements/; a gate fails on an id that no
 * test cites and on a cited id that does not exist, by reading the literal arguments of these calls.
 */
export function verifies(...ids: readonly string[]): void {
  for (const id of ids) if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(id)) throw new Error(`not a requirement id: ${id}`);
}
