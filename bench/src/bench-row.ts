/** One measured figure. */
export interface BenchRow {
  readonly suite: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** For people, such as `≥ 40,000/s`. */
  readonly target?: string;
  readonly met?: boolean;
  /** The same work done by something else in the same run; `ratio` is our value divided by the peer's. */
  readonly peer?: { readonly name: string; readonly value: number; readonly ratio: number };
}

export interface BenchContext {
  /** A folder on the disk that is measured; removed afterwards. */
  readonly dir: string;
  /** Below 1 for a quick look: fewer events and shorter runs. Figures count at 1 only. */
  readonly scale: number;
  readonly log: (line: string) => void;
}
