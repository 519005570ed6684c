/** A Python that works inside a sandbox: what to run and which folders it needs at the same paths. */
export interface PythonInterpreter {
  /** Absolute path to run; of a virtual environment its own link, else the real file (a shim costs 0.3 s a start). */
  readonly executable: string;
  /** Such as `3.11.7`. */
  readonly version: string;
  readonly prefix: string;
  readonly basePrefix: string;
  /** Folders outside /usr to mount read-only at the same path: prefixes and their real paths. */
  readonly mounts: readonly string[];
}
