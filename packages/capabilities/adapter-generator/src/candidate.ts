import type { ColumnType, DatasetManifest } from '@assay/contracts';

/** The part of a data set's manifest that recognition needs. */
export type DatasetShape = Pick<
  DatasetManifest,
  'columns' | 'inputColumns' | 'targetColumn' | 'suggestedTask' | 'labels'
>;

/**
 * What one item is when it is handed to the entry point. `bytes` = a text in UTF-8, `arguments` = one argument per column by name, `positional` =
 * one by place, `values` = a list of all values, `frame` = a table of the data-frame library, `command` = a file, standard
 * input or a word of a command line.
 */
export type InputShape =
  'text' | 'bytes' | 'row_dict' | 'feature_vector' | 'arguments' | 'positional' | 'values' | 'frame' | 'command';
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
 * `method` = of an object that is made first; `static` = called on the class; `function` = a module's function;
 * `per_item` = of an object that is made from each item; `model_function` = a function that takes what training or loading returned; `saved_model` = a method of an object
 * that is kept as a file; `command` = a command line.
 */
export type CandidateKind =
  'method' | 'static' | 'function' | 'model_function' | 'per_item' | 'saved_model' | 'command';

/** Where the thing that is called comes from. Paths are relative to the repository. */
export type ObjectSource =
  | { readonly from: 'module'; readonly prepare?: string }
  /** A class that is called, a function that makes or loads the object, or a name of the module that holds it. */
  | {
      readonly from: 'class' | 'call' | 'value' | 'type';
      readonly name: string;
      readonly paths: readonly string[];
      readonly prepare?: string;
      readonly preparePaths?: readonly string[];
    }
  /** What a function of the module returned when it was given the training rows. */
  | { readonly from: 'trained'; readonly name: string }
  | { readonly from: 'loaded'; readonly name: string; readonly attribute: string; readonly paths: readonly string[] }
  | { readonly from: 'file'; readonly path: string; readonly loader: 'pickle' | 'joblib' | 'skops' }
  | ProgramSource;

/** `program` = `python -m name`; `path` = `python name`; `function` = what an installed script calls. */
export interface ProgramSource {
  readonly from: 'program' | 'path' | 'function';
  readonly name: string;
  readonly attribute: string;
  readonly passArgv: boolean;
  /** How the program calls itself. */
  readonly program: string;
}

export type FileFormat = 'lines' | 'csv' | 'tsv' | 'jsonl' | 'json' | 'texts';

/** How a command line is handed its rows and where its answers come from. */
export interface CommandCall {
  /** Words behind the program, with `{input}`, `{output}`, `{text}` and `{col:NAME}`. */
  readonly argv: readonly string[];
  readonly feed: 'argument' | 'file' | 'stdin';
  readonly format: FileFormat;
  readonly take: 'stdout' | 'file';
  readonly outputSuffix: string;
}

/** One way of handing rows over. When there are several, the preflight finds the first that gives answers. */
export interface Way {
  /** In words, for the report. */
  readonly name: string;
  readonly input: InputShape;
  readonly call: CallStyle;
  readonly columns: readonly InputColumn[];
  readonly command?: CommandCall;
}

export interface Candidate {
  readonly kind: CandidateKind;
  /** `module:Class.method`, `module:function`, `file:path` or `cli:command line`. */
  readonly entrypoint: string;
  readonly module: string;
  readonly owner: string | null;
  readonly attribute: string;
  /** Where it is defined, relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** Folder that goes on sys.path, relative to the repository; empty for its root. */
  readonly importRoot: string;
  /** Folder that it runs in, relative to the repository. */
  readonly cwd: string;
  readonly object: ObjectSource;
  /** Of the first way. */
  readonly input: InputShape;
  readonly columns: readonly InputColumn[];
  readonly call: CallStyle;
  readonly ways: readonly Way[];
  /** Of a `model_function`: whether the model is its first argument. */
  readonly modelFirst: boolean;
  /** Of a `model_function` that needs no training: the function that gives the model. */
  readonly loader: { readonly attribute: string; readonly paths: readonly string[] } | null;
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

/** A list of labels, or pairs of a value and a label, that stands in the repository. */
export interface LabelSource {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly list: readonly string[] | null;
  readonly pairs: readonly (readonly [string, string])[] | null;
}

export interface LookedAt {
  readonly files: number;
  readonly functions: number;
  readonly classes: number;
  readonly commands: number;
  readonly savedModels: number;
  /** At most 30 paths. */
  readonly paths: readonly string[];
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  readonly limit: string | null;
}

export interface Recognition {
  /** The best first. */
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly RejectedEntryPoint[];
  readonly labelSources: readonly LabelSource[];
  readonly lookedAt: LookedAt;
}
