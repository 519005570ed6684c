import * as z from 'zod';
import { sha256 } from '@assay/contracts';
import { changeText, requirementText, type DependencySpec } from '@assay/dependencies';
import { sha256Text } from '@assay/files';
import { lockFileText } from '@assay/python-environments';
import type { Installed } from './install-with-repair.ts';

/** What was installed, for which Python, and what was mended: the artifact `dependency_install_report`. */
export const installReportValue = z.looseObject({
  python: z.object({ version: z.string(), why: z.string() }),
  attempts: z.array(z.looseObject({ changed: z.string(), why: z.string() })),
  installed: z.array(
    z.looseObject({ name: z.string(), version: z.string(), kind: z.enum(['wheel', 'source']), requested: z.boolean() }),
  ),
  /** One line per package, `name==version` with the hash of its file, as pip reads it; null when nothing was installed. */
  lock: z.string().nullable(),
  lockSha256: sha256.nullable(),
  /** Asked for by the repository and not from the index: not taken. */
  unavailable: z.array(z.string()),
  /** The lock file of the repository, and why its versions are not the ones that were asked for. */
  lockFile: z.object({ file: z.string(), whyNot: z.string().nullable() }).nullable().default(null),
});
export type InstallReportValue = z.infer<typeof installReportValue>;

export function installReport(
  spec: Pick<DependencySpec, 'unavailable' | 'lock'>,
  runtime: { readonly version: string; readonly why: string },
  { check, installed }: { readonly check: string; readonly installed?: Installed | undefined },
) {
  const environment = installed?.environment;
  const attempts = (installed?.state.attempts ?? []).map(({ diagnosis, change, why }, index) => ({
    number: index + 1,
    ok: false,
    kind: diagnosis.kind,
    evidence: diagnosis.evidence,
    changed: changeText(change),
    why,
  }));
  const lock = environment === undefined ? null : lockFileText(environment.lock);
  const other = installed?.state.attempts.findLast(({ change }) => change.kind === 'python');
  return {
    python: {
      version: installed?.interpreter.version ?? runtime.version,
      why: other === undefined ? runtime.why : `instead of ${runtime.version}: ${other.why}`,
    },
    attempts,
    installed: environment?.lock ?? [],
    lock,
    lockSha256: lock === null ? null : sha256Text(lock),
    leftOut: installed?.leftOut ?? [],
    unavailable: spec.unavailable.map(
      (one) => `${requirementText({ ...one, hashes: [] })} (${one.origin.file}:${one.origin.line})`,
    ),
    lockFile: spec.lock,
    cached: environment?.cached ?? null,
    builder: environment?.report ?? null,
    check,
  };
}

/** What became of the repository's lock file, as a clause. */
export function lockText({ file, whyNot }: { readonly file: string; readonly whyNot: string | null }): string {
  return whyNot === null ? `versions were asked for as in ${file}` : `${file} is not followed: ${whyNot}`;
}

const MOST_SHOWN = 8;

/** The same in a few lines for people: Python, packages, and what is not as the repository asked. */
export function installLines(report: InstallReportValue): string[] {
  const { python, attempts, installed, lockSha256, unavailable, lockFile } = report;
  const asked = installed.filter(({ requested }) => requested);
  const shown = (asked.length > 0 ? asked : installed)
    .slice(0, MOST_SHOWN)
    .map(({ name, version }) => `${name} ${version}`);
  const rest = installed.length - shown.length;
  const built = installed.filter(({ kind }) => kind === 'source').map(({ name }) => name);
  return [
    `Python ${python.version} (${python.why}).`,
    installed.length === 0
      ? 'No packages were installed.'
      : `${installed.length} ${installed.length === 1 ? 'package' : 'packages'} installed: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}; list of versions and hashes: SHA-256 ${lockSha256 ?? ''}.`,
    ...(lockFile === null || installed.length === 0 ? [] : [`Lock file: ${lockText(lockFile)}.`]),
    ...(built.length > 0 ? [`Built from source: ${built.join(', ')}.`] : []),
    ...attempts.map(({ changed, why }) => `Mended: ${changed}, because ${why}.`),
    ...(unavailable.length > 0
      ? [`Not taken, because packages come from the index only: ${unavailable.join(', ')}.`]
      : []),
  ];
}
