/** What a sequence must tell before finding it proves anything, in bits: 40 labels of two even classes. */
export const BITS_THAT_PROVE = 40;

/**
 * Cumulated information of a sequence of labels, in bits: `result[i]` is what its first `i + 1` labels tell. It is the
 * least of what three readers would need who know what comes before: one who knows how often each label occurs, and
 * two who learn which label follows the last one, or the last two (Krichevsky and Trofimov 1981). So a column that is
 * sorted, or alternates, tells little. A label that occurs for the first time tells nothing, because any code may
 * stand for it.
 *
 * @param labels numbers of labels, 0 … `shares.length - 1`
 * @param shares of all rows that have each label
 */
export function labelBits(labels: Int32Array, shares: Float64Array): Float64Array {
  const seen = new Set<number>();
  const readers = [createReader(shares.length, 1), createReader(shares.length, 2)];
  const totals = [0, 0, 0];
  return Float64Array.from(labels, (label) => {
    const costs = [-Math.log2(shares[label]!), ...readers.map((reader) => reader(label))];
    if (seen.has(label)) for (const [at, cost] of costs.entries()) totals[at]! += cost;
    seen.add(label);
    return Math.min(...totals);
  });
}

/** The bits that a reader needs for each next label, who counts what followed the last `order` labels. */
function createReader(alphabet: number, order: number): (label: number) => number {
  const counts = new Map<string, number>();
  let context: number[] = [];
  return (label) => {
    const before = context.join(' ');
    const inContext = counts.get(before) ?? 0;
    const key = `${before}:${label}`;
    const times = counts.get(key) ?? 0;
    counts.set(before, inContext + 1);
    counts.set(key, times + 1);
    context = [...context, label].slice(-order);
    return -Math.log2((times + 0.5) / (inContext + 0.5 * alphabet));
  };
}

/**
 * Cumulated information of a sequence of numbers that are known within ± `tolerance`, in bits: the least of what the
 * values, their differences and the differences of those tell, each by the share of such values in the whole sequence.
 * So a ramp or a smooth curve tells little.
 */
export function numberBits(values: Float64Array, tolerance: number, of: Float64Array): Float64Array {
  const orders = [0, 1, 2].map((order) => {
    const all = differences(of, order).sort();
    const own = differences(values, order);
    const width = tolerance * 2 ** order;
    return (at: number) => {
      if (at < order) return 0;
      const value = own[at - order]!;
      const near = firstAbove(all, value + width) - firstAbove(all, value - width - Number.EPSILON * Math.abs(value));
      return -Math.log2(Math.max(1, near) / Math.max(1, all.length));
    };
  });
  const totals = orders.map(() => 0);
  return Float64Array.from(values, (_, at) => {
    for (const [order, bits] of orders.entries()) totals[order]! += bits(at);
    return Math.min(...totals);
  });
}

function differences(values: Float64Array, order: number): Float64Array {
  if (order === 0) return values.slice();
  const last = differences(values, order - 1);
  return last.subarray(1).map((value, at) => value - last[at]!);
}

/** The place of the first value above a bound, in ascending values. */
function firstAbove(ascending: Float64Array, bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
