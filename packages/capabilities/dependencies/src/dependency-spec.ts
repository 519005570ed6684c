import * as z from 'zod';

const origin = z.object({ file: z.string(), line: z.number().int() });

const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('index') }),
  z.object({ kind: z.literal('url'), url: z.string() }),
  z.object({ kind: z.literal('vcs'), url: z.string() }),
  z.object({ kind: z.literal('path'), path: z.string() }),
]);

export const requirementSchema = z.object({
  name: z.string(),
  extras: z.array(z.string()),
  specifier: z.string(),
  marker: z.string().nullable(),
  place,
  editable: z.boolean(),
  hashes: z.array(z.string()),
  origin,
});

/** The ways of declaring, in the order in which they are believed: the first that declares something counts. */
export const declarationOrder = [
  'requirements file',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'Pipfile',
  'environment.yml',
  'imports',
] as const;
export type DeclarationKind = (typeof declarationOrder)[number];

const requiresPython = z.object({
  specifier: z.string(),
  origin,
  /** True for the version that an author happened to use (Pipfile, conda): taken when it is there, not demanded. */
  isPreference: z.boolean(),
});

/** What an entry point needs besides Python, and why: the artifact `dependency_spec`. */
export const dependencySpecSchema = z.object({
  v: z.literal(1),
  ecosystem: z.literal('python'),
  /** Where the requirements were read; null when the entry point needs none. */
  source: z.enum(declarationOrder).nullable(),
  files: z.array(z.string()),
  requirements: z.array(requirementSchema),
  constraints: z.array(requirementSchema),
  /** The lock file beside the declaration: its versions are among the constraints unless `whyNot` says why they are not. */
  lock: z.object({ file: z.string(), whyNot: z.string().nullable() }).nullable().default(null),
  /** Declared and not needed by this entry point as far as its imports show: their versions count if it turns out later. */
  notNeeded: z.array(requirementSchema),
  /** From git or an address: not fetched. */
  unavailable: z.array(requirementSchema),
  requiresPython: z.array(requiresPython),
  /** Folders of the repository to put on the module path, for packages of its own that are listed as requirements. */
  pythonPath: z.array(z.string()),
  /** Why the repository itself would have to be built, or null: it is imported from where it lies. */
  projectBuild: z.object({ why: z.string(), origin }).nullable(),
  ignored: z.array(z.object({ what: z.string(), why: z.string(), origin })),
});
export type DependencySpec = z.infer<typeof dependencySpecSchema>;
export type RequiresPython = z.infer<typeof requiresPython>;
