import { AssayError } from '@assay/foundation';
import type { RepositoryManifest } from '@assay/repositories';
import { adapterSpecValue, valueOf } from '../benchmark-values.ts';
import type { TaskType } from '../task-type.ts';

/** Finds the packages that the code always imports and Python does not bring. This version can install none. */
export const resolveDependencies: TaskType = {
  type: 'resolve_dependencies',
  codeVersion: 1,
  async run({ input }) {
    const manifest = (await input('repo_manifest')).value as RepositoryManifest;
    const spec = valueOf(adapterSpecValue, await input('benchmark_adapter_spec'));
    const required = manifest.thirdPartyImports.filter((entry) => spec.thirdPartyImports.includes(entry.module));
    if (required.length > 0)
      throw new AssayError('dependencies_required', `${spec.entrypoint} needs packages that are not installed`, {
        why: `it imports ${required.map((entry) => entry.module).join(', ')}`,
        hint: 'this version runs repositories that need only the Python standard library',
        details: { imports: required },
      });
    const optional = manifest.thirdPartyImports.map((entry) => entry.module);
    return {
      outputs: {
        dependency_spec: {
          type: 'dependency_spec',
          value: { ecosystem: 'python', requirements: [], files: manifest.dependencyFiles, notNeeded: optional },
        },
      },
      summary: 'the standard library is enough',
    };
  },
};
