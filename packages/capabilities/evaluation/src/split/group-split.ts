import { Prng, shuffle, streams } from '../prng.ts';

export interface GroupSplitRequest {
  /** Rows that may be used, ascending. */
  readonly rows: Uint32Array;
  /** The group number of each of them, counted from 0. */
  readonly groups: Uint32Array;
  /** The label number of each of them; absent = one stratum. */
  readonly codes?: Uint32Array | undefined;
  readonly seed: number;
  /** Share of every label that is wanted for testing. */
  readonly testFraction: number;
}

export interface GroupSplit {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
  readonly trainGroups: number;
  readonly testGroups: number;
}

/**
 * Divides whole groups so that every label comes near the wanted share: groups are shuffled (stream `groups`), the
 * larger ones come first, and each becomes a test group when that lowers Σ over labels of ((test rows − wanted) / rows of
 * the label)². At least one group stays on each side when there are two or more. A function of data and seed only.
 */
export function splitGroups(request: GroupSplitRequest): GroupSplit {
  const { groups, rows, seed } = request;
  const members = membersOf(request);
  const order = Uint32Array.from(members.keys());
  shuffle(order, new Prng(seed, streams.groups));
  const bySize = Array.from(order).sort((a, b) => members[b]!.rows - members[a]!.rows);
  const totals = totalsOf(members);
  const wanted = totals.map((total) => total * request.testFraction);
  const taken = totals.map(() => 0);
  const isTest = new Uint8Array(members.length);
  let testGroups = 0;
  for (const group of bySize) {
    if (testGroups === members.length - 1 || changeOf(members[group]!, { totals, wanted, taken }) >= 0) continue;
    for (const [code, count] of members[group]!.labels) taken[code]! += count;
    isTest[group] = 1;
    testGroups += 1;
  }
  if (testGroups === 0 && members.length > 1) {
    isTest[bySize.at(-1)!] = 1;
    testGroups = 1;
  }
  const inTest = (_: number, i: number) => isTest[groups[i]!] === 1;
  return {
    test: rows.filter(inTest),
    train: rows.filter((row, i) => !inTest(row, i)),
    testGroups,
    trainGroups: members.length - testGroups,
  };
}

interface Members {
  rows: number;
  /** Rows by label number. */
  readonly labels: Map<number, number>;
}

function membersOf({ rows, groups, codes }: GroupSplitRequest): readonly Members[] {
  const members: Members[] = [];
  for (let i = 0; i < rows.length; i += 1) {
    const one = (members[groups[i]!] ??= { rows: 0, labels: new Map() });
    const code = codes?.[i] ?? 0;
    one.rows += 1;
    one.labels.set(code, (one.labels.get(code) ?? 0) + 1);
  }
  return members;
}

function totalsOf(members: readonly Members[]): number[] {
  const totals: number[] = [];
  for (const { labels } of members) for (const [code, count] of labels) totals[code] = (totals[code] ?? 0) + count;
  return Array.from(totals, (total) => total ?? 0);
}

/** How much the sum of squares changes when the group becomes a test group; negative = nearer to what is wanted. */
function changeOf(
  { labels }: Members,
  state: { readonly totals: readonly number[]; readonly wanted: readonly number[]; readonly taken: readonly number[] },
): number {
  let change = 0;
  for (const [code, count] of labels) {
    const off = state.taken[code]! - state.wanted[code]!;
    change += ((off + count) ** 2 - off ** 2) / state.totals[code]! ** 2;
  }
  return change;
}
