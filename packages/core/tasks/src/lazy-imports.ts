import { AssayError } from '@assay/foundation';
import { dependencySpecSchema, diagnose, withLazyImport } from '@assay/dependencies';
import type { RepositoryManifest } from '@assay/repositories';
import { valueOf, type AdapterSpecValue } from './benchmark-values.ts';
import { installPackages, runtimeOf } from './install-packages.ts';
import { installReport } from './install-report.ts';
import { runtimeSessionValue, type PreparedRuntimeValue } from './prepared-runtime.ts';
import type { TaskContext } from './task-type.ts';

/** Modules that one preflight installs after the fact. */
const MOST_MODULES = 3;

/** What was installed because the preflight found a module missing. */
export interface LazyInstall {
  readonly modules: readonly string[];
  readonly runtime: PreparedRuntimeValue;
  readonly report: ReturnType<typeof installReport>;
}

/**
 * Installs a module that an entry point imports only while it runs, when that is what a failed run says, the repository
 * imports it, and it is not there yet. Undefined for every other failure. Rejects with the sentence in which it ends.
 */
export async function installMissing(
  context: TaskContext,
  failure: AssayError,
  { adapter, before }: { readonly adapter: AdapterSpecValue; readonly before: LazyInstall | undefined },
): Promise<LazyInstall | undefined> {
  const module = missingModule(failure);
  // Plans that were made before this was possible have not these inputs.
  if (module === undefined || !context.task.requiredArtifacts.includes('repo_manifest')) return undefined;
  const known = before?.modules ?? [];
  const { thirdPartyImports } = (await context.input('repo_manifest')).value as RepositoryManifest;
  if (known.includes(module) || !thirdPartyImports.some((one) => one.module === module)) return undefined;
  if (known.length >= MOST_MODULES) return undefined;
  if (context.plan.inputs.install === false)
    throw new AssayError('dependencies_required', `${adapter.entrypoint} needs ${module} when it runs`, {
      why: `it imports it inside a function, and installing is switched off; ${failure.why ?? ''}`,
      hint: 'leave --no-install out, or name another entry point with --entry',
      isFinal: true,
    });
  const { interpreter, version, why } = valueOf(runtimeSessionValue, await context.input('runtime_session'));
  const spec = withLazyImport(valueOf(dependencySpecSchema, await context.input('dependency_spec')), module);
  const modules = [...known, module];
  context.log('info', `${adapter.entrypoint} imports ${module} only when it runs: it is installed`);
  const installed = await installPackages(context, {
    spec,
    interpreter,
    modules: [...adapter.thirdPartyImports, ...modules],
    prefix: `lazy-${modules.length}-`,
  });
  const check = `imported in the sandbox: ${modules.join(', ')}`;
  return {
    modules,
    runtime: runtimeOf(installed, spec.pythonPath),
    report: installReport(spec, { version, why }, { check, installed }),
  };
}

/** The module that Python did not find, as the adapter told it. */
function missingModule({ code, why }: AssayError): string | undefined {
  if (code !== 'adapter_failed' || why === undefined) return undefined;
  const { kind, subject } = diagnose({ step: 'run', output: why });
  return kind === 'module_missing' ? (subject ?? undefined) : undefined;
}
