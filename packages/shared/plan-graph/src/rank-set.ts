const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** A leaf is a word of 32 members; a branch keeps a word of its non-empty children. */
type Node = number | Branch;
interface Branch {
  readonly bits: number;
  readonly children: readonly (Node | undefined)[];
}

/**
 * An immutable set of small whole numbers with its smallest member at hand: a trie of 32-bit words.
 * Adding, removing and finding the first cost log32(capacity).
 */
export class RankSet implements Iterable<number> {
  readonly size: number;
  readonly #depth: number;
  readonly #root: Node | undefined;

  private constructor(depth: number, root: Node | undefined, size: number) {
    this.#depth = depth;
    this.#root = root;
    this.size = size;
  }

  /** The empty set of members below `capacity`. */
  static empty(capacity: number): RankSet {
    let depth = 0;
    for (let reach = WIDTH; reach < capacity; reach *= WIDTH) depth += 1;
    return new RankSet(depth, undefined, 0);
  }

  has(member: number): boolean {
    let node = this.#root;
    for (let level = this.#depth; level > 0 && node !== undefined; level -= 1)
      node = (node as Branch).children[(member >> (level * BITS)) & MASK];
    return node !== undefined && ((node as number) & (1 << (member & MASK))) !== 0;
  }

  add(member: number): RankSet {
    if (this.has(member)) return this;
    return new RankSet(this.#depth, added(this.#root, this.#depth, member), this.size + 1);
  }

  delete(member: number): RankSet {
    if (!this.has(member)) return this;
    return new RankSet(this.#depth, removed(this.#root!, this.#depth, member), this.size - 1);
  }

  /** The smallest member, or undefined for the empty set. */
  get first(): number | undefined {
    let node = this.#root;
    if (node === undefined) return undefined;
    let member = 0;
    for (let level = this.#depth; level > 0; level -= 1) {
      const branch = node as Branch;
      const at = lowest(branch.bits);
      member = (member << BITS) | at;
      node = branch.children[at]!;
    }
    return (member << BITS) | lowest(node as number);
  }

  /** Members in ascending order. */
  *[Symbol.iterator](): Generator<number> {
    if (this.#root !== undefined) yield* members(this.#root, this.#depth, 0);
  }
}

function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function added(node: Node | undefined, depth: number, member: number): Node {
  const at = (member >> (depth * BITS)) & MASK;
  if (depth === 0) return ((node as number | undefined) ?? 0) | (1 << at);
  const branch = node as Branch | undefined;
  const children = branch === undefined ? Array.from<Node | undefined>({ length: WIDTH }) : branch.children.slice();
  children[at] = added(children[at], depth - 1, member);
  return { bits: (branch?.bits ?? 0) | (1 << at), children };
}

/** The node without `member`, or undefined when nothing is left of it. */
function removed(node: Node, depth: number, member: number): Node | undefined {
  const at = (member >> (depth * BITS)) & MASK;
  if (depth === 0) return (node as number) & ~(1 << at) || undefined;
  const branch = node as Branch;
  const child = removed(branch.children[at]!, depth - 1, member);
  const bits = child === undefined ? branch.bits & ~(1 << at) : branch.bits;
  if (bits === 0) return undefined;
  const children = branch.children.slice();
  children[at] = child;
  return { bits, children };
}

function* members(node: Node, depth: number, prefix: number): Generator<number> {
  let bits = depth === 0 ? (node as number) : (node as Branch).bits;
  while (bits !== 0) {
    const at = lowest(bits);
    bits &= bits - 1;
    const member = (prefix << BITS) | at;
    if (depth === 0) yield member;
    else yield* members((node as Branch).children[at]!, depth - 1, member);
  }
}
