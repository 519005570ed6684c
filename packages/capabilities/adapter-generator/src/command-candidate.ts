import type { Candidate, Way } from './candidate.ts';
import type { CodeIndex } from './code-index.ts';
import type { Program } from './programs.ts';
import { workingFolder } from './repository-files.ts';

/** What a command line says of itself: the rest of its candidate is the same for every one. */
export type CommandSaid = Pick<Candidate, 'entrypoint' | 'attribute' | 'line' | 'confidence' | 'evidence' | 'notes'>;

/** A command line as a candidate. `ways` has at least one, the likeliest first. */
export function commandCandidate(
  { module, source }: Program,
  [first, ...others]: readonly [Way, ...Way[]],
  { index, said }: { readonly index: CodeIndex; readonly said: CommandSaid },
): Candidate {
  const { modules, thirdParty } = index.reach(module);
  return {
    kind: 'command',
    module: source.name,
    owner: null,
    file: module.path,
    importRoot: module.importRoot,
    cwd: workingFolder(
      modules.flatMap(({ relativeFiles }) => relativeFiles),
      module.importRoot,
    ),
    object: source,
    input: 'command',
    columns: first.columns,
    call: first.call,
    ways: [first, ...others],
    modelFirst: false,
    loader: null,
    needsTraining: false,
    training: null,
    probabilities: null,
    thirdPartyImports: thirdParty,
    ...said,
  };
}
