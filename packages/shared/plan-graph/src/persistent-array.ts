const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Node<T> = readonly (Node<T> | T)[];

/**
 * An array of fixed length that never changes: `with` returns a new one that shares all but one path with the old.
 * Reading and replacing cost log32(length), so folding n events over n items stays linear for all practical sizes.
 */
export class PersistentArray<T> {
  readonly length: number;
  readonly #depth: number;
  readonly #root: Node<T>;

  private constructor(length: number, depth: number, root: Node<T>) {
    this.length = length;
    this.#depth = depth;
    this.#root = root;
  }

  static from<T>(items: readonly T[]): PersistentArray<T> {
    let level: Node<T> = items.slice();
    let depth = 0;
    while (level.length > WIDTH) {
      const above: Node<T>[] = [];
      for (let at = 0; at < level.length; at += WIDTH) above.push(level.slice(at, at + WIDTH));
      level = above;
      depth += 1;
    }
    return new PersistentArray(items.length, depth, level);
  }

  /** The item at `index`. Throws a RangeError outside the array. */
  get(index: number): T {
    this.#check(index);
    let node = this.#root;
    for (let level = this.#depth; level > 0; level -= 1) node = node[(index >> (level * BITS)) & MASK] as Node<T>;
    return node[index & MASK] as T;
  }

  /** A copy with `value` at `index`. Throws a RangeError outside the array. */
  with(index: number, value: T): PersistentArray<T> {
    this.#check(index);
    return new PersistentArray(this.length, this.#depth, replaced(this.#root, this.#depth, { index, value }));
  }

  toArray(): T[] {
    let level: Node<T> = this.#root;
    for (let depth = this.#depth; depth > 0; depth -= 1) level = (level as readonly Node<T>[]).flat() as Node<T>;
    return level.slice() as T[];
  }

  #check(index: number): void {
    if (!Number.isInteger(index) || index < 0 || index >= this.length)
      throw new RangeError(`index ${index} is outside 0 … ${this.length - 1}`);
  }
}

function replaced<T>(node: Node<T>, depth: number, change: { index: number; value: T }): Node<T> {
  const copy = node.slice();
  const at = (change.index >> (depth * BITS)) & MASK;
  copy[at] = depth === 0 ? change.value : replaced(node[at] as Node<T>, depth - 1, change);
  return copy;
}
