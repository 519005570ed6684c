/** One promised behaviour. Tests cite its id with `verifies()`. */
export interface Requirement {
  readonly says: string;
  /** Where it was promised: a chapter of the specification, an issue, a field case. */
  readonly source: string;
}
