/** How rows were divided; part of the pre-registration. */
export interface SplitFacts {
  readonly method: 'stratified' | 'shuffled' | 'all';
  readonly prng: 'xoshiro128**';
  readonly seed: number;
  readonly testFraction: number;
  readonly handedOut: number;
  readonly handedOutSha256: string;
  readonly train: number;
  readonly trainSha256: string;
  readonly limit?: number;
}
