import type { ColumnType, DatasetManifest } from '@assay/contracts';

/** The part of a data set's manifest that recognition needs. */
export type DatasetShape = Pick<DatasetManifest, 'columns' | 'inputColumns' | 'targetColumn' | 'suggestedTask'>;

/** What one item is when it is handed to the entry point. `arguments` = one argument per column. */
export type InputShape = 'text' | 'row_dict' | 'feature_vector' | 'arguments';
export type CallStyle = 'single' | 'batch';

/** How a column reaches the code: under which key or parameter name. */
export interface InputColumn {
  readonly column: string;
  readonly as: string;
  readonly type: ColumnType;
}

export interface TrainingCall {
  readonly attribute: string;
  /**
   * `columns` = fit(items, labels); `pairs` = fit([(item, label), …]); `rows` = fit(rows that hold the label, its key);
   * `last` = fit(lists that end with the label); `each` = fit(item, label) once per row.
   */
  readonly style: 'columns' | 'pairs' | 'rows' | 'last' | 'each';
  /** True when labels come first. */
  readonly labelsFirst: boolean;
}

/**
 * `method` = made without arguments, then its method is called; `static` = called on the class; `function` = a module's
 * function; `model_function` = a function whose first argument is what the training function returned.
 */
export type CandidateKind = 'method' | 'static' | 'function' | 'model_function';

export interface Candidate {
  readonly kind: CandidateKind;
  /** `module:Class.method` or `module:function`. */
  readonly entrypoint: string;
  readonly module: string;
  readonly owner: string | null;
  readonly attribute: string;
  /** Where it is defined, relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** Folder that goes on sys.path, relative to the repository; empty for its root. */
  readonly importRoot: string;
  readonly input: InputShape;
  readonly columns: readonly InputColumn[];
  readonly call: CallStyle;
  /** Of a `model_function`: whether the model is its first argument. */
  readonly modelFirst: boolean;
  readonly needsTraining: boolean;
  readonly training: TrainingCall | null;
  /** Companion that gives label probabilities, called like the entry point. */
  readonly probabilities: string | null;
  /** Top-level modules that its files always import, that are neither Python's nor the repository's. */
  readonly thirdPartyImports: readonly string[];
  /** 0 … 1. */
  readonly confidence: number;
  /** Sentences that start with `file:line`. */
  readonly evidence: readonly string[];
  /** What a person should know about how it is called, such as columns that are not used. */
  readonly notes: readonly string[];
}

export interface RejectedEntryPoint {
  readonly entrypoint: string;
  readonly reason: string;
}

export interface LookedAt {
  readonly files: number;
  readonly functions: number;
  readonly classes: number;
  /** At most 30 paths. */
  readonly paths: readonly string[];
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  readonly limit: string | null;
}

export interface Recognition {
  /** The best first. */
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly RejectedEntryPoint[];
  readonly lookedAt: LookedAt;
}
