import type { DependencySpec } from './dependency-spec.ts';
import { packageOfModule } from './import-names.ts';
import { indexRequirement } from './requirement.ts';
import { mutable, requireAvailable } from './resolve.ts';

/**
 * What is needed once an entry point turns out to import a module while it runs. Where nothing was needed before, all that
 * is declared is, and without a declaration the module's package. Throws `dependencies_required` when it comes only from
 * git or an address.
 */
export function withLazyImport(spec: DependencySpec, module: string): DependencySpec {
  requireAvailable(spec, [module]);
  if (spec.requirements.length > 0) return spec;
  const named = [indexRequirement(packageOfModule(module).name, { file: '', line: 0 })];
  const declared = spec.notNeeded.length > 0;
  return {
    ...spec,
    source: declared ? spec.source : 'imports',
    requirements: declared ? spec.notNeeded : mutable(named),
    notNeeded: [],
  };
}
