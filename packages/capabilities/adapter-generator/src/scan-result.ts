import * as z from 'zod';
import { AssayError } from '@assay/foundation';

/** What `assets/python/scan.py` prints: facts about every parsed Python file of a repository. */

const passedTo = z.object({ to: z.string(), at: z.union([z.number(), z.string()]) });

export interface ParamUses {
  /** Texts that it is subscripted with: `row["age"]`. */
  readonly keys?: readonly string[] | undefined;
  /** Texts that it is asked for with `.get`. */
  readonly optionalKeys?: readonly string[] | undefined;
  /** Attributes that are read, called or not. */
  readonly methods?: readonly string[] | undefined;
  /** iterated, indexed, last, looked up, sliced, sized, number, numbers, text, contains text, checked, key, unpacked2 … */
  readonly marks?: readonly string[] | undefined;
  readonly passedTo?: readonly { readonly to: string; readonly at: number | string }[] | undefined;
  /** How its elements are used. */
  readonly element?: ParamUses | undefined;
  /** How the parts are used when it is unpacked as a tuple. */
  readonly pair?: Readonly<Record<string, ParamUses>> | undefined;
  readonly pairNames?: readonly string[] | undefined;
}

const paramUses: z.ZodType<ParamUses> = z.lazy(() =>
  z.object({
    keys: z.array(z.string()).optional(),
    optionalKeys: z.array(z.string()).optional(),
    methods: z.array(z.string()).optional(),
    marks: z.array(z.string()).optional(),
    passedTo: z.array(passedTo).optional(),
    element: paramUses.optional(),
    pair: z.record(z.string(), paramUses).optional(),
    pairNames: z.array(z.string()).optional(),
  }),
);

const param = z.object({
  name: z.string(),
  kind: z.enum(['positional', 'rest', 'keyword', 'keywords']),
  hasDefault: z.boolean(),
  annotation: z.string().nullable(),
  uses: paramUses.optional(),
});

const functionFacts = z.object({
  name: z.string(),
  line: z.number(),
  isAsync: z.boolean(),
  params: z.array(param),
  returnAnnotation: z.string().nullable(),
  returns: z.array(z.string()),
  /** The calls whose values it returns: `Model`, `joblib.load`. */
  gives: z.array(z.string()),
  /** Names of the module that it sets. */
  globals: z.array(z.string()),
  decorators: z.array(z.string()),
  docstring: z.string(),
  isStub: z.boolean(),
});

const classFacts = z.object({
  name: z.string(),
  line: z.number(),
  bases: z.array(z.string()),
  decorators: z.array(z.string()),
  docstring: z.string(),
  methods: z.array(functionFacts),
  /** Other names of its methods. */
  aliases: z.record(z.string(), z.string()).default({}),
  fields: z.array(z.object({ name: z.string(), hasDefault: z.boolean(), annotation: z.string() })),
  attributes: z.array(z.string()),
});

/** A list of names by place, or pairs of a value and a name, that stands in the repository. */
const labelFacts = z.object({
  path: z.string(),
  line: z.number(),
  name: z.string(),
  list: z.array(z.string()).nullable(),
  pairs: z.array(z.tuple([z.string(), z.string()])).nullable(),
});

const commandOption = z.object({
  names: z.array(z.string()),
  isOption: z.boolean(),
  required: z.boolean(),
  help: z.string(),
  type: z.string(),
  nargs: z.string().nullable(),
  choices: z.array(z.string()).nullable(),
  isFlag: z.boolean(),
  default: z.string().nullable(),
  line: z.number(),
});

const commandFacts = z.object({
  kind: z.enum(['argparse', 'click', 'typer', 'fire', 'argv']),
  /** Of a sub-command; empty for the program itself. */
  name: z.string(),
  /** Of click and typer: what the program is started by. */
  function: z.string().nullable(),
  options: z.array(commandOption),
  line: z.number(),
});

const moduleFacts = z.object({
  path: z.string(),
  /** Dotted name to import it by, when `importRoot` is on sys.path. */
  module: z.string(),
  importRoot: z.string(),
  isProgram: z.boolean(),
  docstring: z.string(),
  imports: z.array(
    z.object({
      line: z.number(),
      conditional: z.boolean(),
      module: z.string(),
      names: z.array(z.tuple([z.string(), z.string()])),
      alias: z.string().nullable(),
      relative: z.boolean().optional(),
    }),
  ),
  functions: z.array(functionFacts),
  classes: z.array(classFacts),
  aliases: z.record(z.string(), z.string()),
  exports: z.array(z.string()),
  atImport: z.array(z.object({ line: z.number(), what: z.string() })),
  /** Module-level names that hold what a call gave. */
  values: z.array(z.object({ name: z.string(), line: z.number(), call: z.string() })),
  labels: z.array(labelFacts),
  /** Texts that name a file of the repository, seen from these folders. */
  relativeFiles: z.array(z.object({ path: z.string(), folders: z.array(z.string()) })),
  commands: z.array(commandFacts),
  /** How it reads and writes: argv, stdin, csv, json, pandas, prints, opens. */
  marks: z.array(z.string()),
});

/** A call that the README, a test or a docstring shows. */
const usageFacts = z.object({
  /** Dotted, from the import on; `()` behind what was called to make an object: `afinn.Afinn().score`. */
  name: z.string(),
  path: z.string(),
  line: z.number(),
  origin: z.enum(['readme', 'test', 'docstring']),
  arguments: z.number(),
  /** What the first argument is: text, texts, number, numbers, list, row, bool, none, other. */
  given: z.string(),
  /** What is said to come of it, in the same words. */
  gives: z.string().nullable(),
  answer: z.string().nullable(),
});

const scanResult = z.object({
  v: z.literal(1),
  python: z.string(),
  standardLibrary: z.array(z.string()),
  readmeNames: z.array(z.string()),
  usages: z.array(usageFacts).default([]),
  modules: z.array(moduleFacts),
  savedModels: z.array(
    z.object({
      path: z.string(),
      loader: z.enum(['pickle', 'joblib', 'skops']),
      /** Modules that loading it imports, as far as its opcodes tell. */
      modules: z.array(z.string()),
      names: z.array(z.string()),
      /** True when it was read to its end and makes no object: numbers, texts, lists and mappings only. */
      isPlainData: z.boolean().default(false),
    }),
  ),
  labelFiles: z.array(labelFacts),
  /** Files that are no Python. */
  files: z.array(z.string()),
  /** Programs that installing the repository makes: `name` starts `module:function`. */
  scripts: z.array(z.object({ name: z.string(), target: z.string() })),
  errors: z.array(z.object({ path: z.string(), line: z.number(), message: z.string() })),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Which bound ended the scan early, else null. */
  limit: z.string().nullable(),
});

export type LabelFacts = z.infer<typeof labelFacts>;
export type UsageFacts = z.infer<typeof usageFacts>;
export type CommandFacts = z.infer<typeof commandFacts>;
export type CommandOption = z.infer<typeof commandOption>;
export type ScanResult = z.infer<typeof scanResult>;
export type ModuleFacts = z.infer<typeof moduleFacts>;
export type ClassFacts = z.infer<typeof classFacts>;
export type FunctionFacts = z.infer<typeof functionFacts>;
export type ParamFacts = z.infer<typeof param>;

/** Checks what the scanner printed (JSON text or the parsed value). Throws `internal` when it is something else. */
export function parseScan(printed: unknown): ScanResult {
  const parsed = scanResult.safeParse(typeof printed === 'string' ? parseJson(printed) : printed);
  if (parsed.success) return parsed.data;
  throw new AssayError('internal', 'the Python scanner printed something unexpected', { cause: parsed.error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
