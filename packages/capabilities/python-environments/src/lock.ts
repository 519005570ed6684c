import * as z from 'zod';
import type { LockedPackage } from './environment.ts';

/** What we read of pip's installation report (its format 1). */
const reportSchema = z.object({
  version: z.literal('1'),
  install: z.array(
    z.object({
      metadata: z.object({ name: z.string().max(200), version: z.string().max(200) }),
      download_info: z.object({
        url: z.string().max(4000),
        archive_info: z
          .object({ hash: z.string().optional(), hashes: z.record(z.string(), z.string()).optional() })
          .optional(),
      }),
      requested: z.boolean().optional(),
      is_yanked: z.boolean().optional(),
    }),
  ),
});

const MAX_PACKAGES = 5000;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * The exact packages of an environment from pip's own report. Programs of source distributions ran beside that file, so
 * that it is only taken when every package in it is really installed. Throws what does not fit.
 */
export function lockOf(
  report: unknown,
  { installed, renamed }: { readonly installed: ReadonlySet<string>; readonly renamed?: ReadonlyMap<string, string> },
): LockedPackage[] {
  const { install } = reportSchema.parse(report);
  if (install.length > MAX_PACKAGES) throw new Error(`more than ${MAX_PACKAGES} packages`);
  const packages = install.map((entry): LockedPackage => {
    const { name, version } = entry.metadata;
    const { url, archive_info: archive } = entry.download_info;
    const { host } = new URL(url);
    const real = renamed?.get(host)?.replace(/:443$/, '') ?? host;
    const file = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
    const sha256 = archive?.hashes?.['sha256'] ?? /^sha256=(.*)$/.exec(archive?.hash ?? '')?.[1] ?? '';
    return {
      name,
      version,
      file,
      kind: file.endsWith('.whl') ? 'wheel' : 'source',
      sha256: SHA256.test(sha256) ? sha256 : null,
      from: url.startsWith('file:') ? 'local' : real,
      requested: entry.requested ?? false,
      ...(entry.is_yanked === true ? { yanked: 'yes' } : {}),
    };
  });
  const reported = new Set(packages.map(({ name, version }) => distributionKey(name, version)));
  const missing = [...reported].filter((key) => !installed.has(key));
  const unreported = [...installed].filter((key) => !reported.has(key));
  if (missing.length > 0) throw new Error(`reported but not installed: ${missing.join(', ')}`);
  if (unreported.length > 0) throw new Error(`installed but not reported: ${unreported.join(', ')}`);
  return packages.sort((a, b) => (normalName(a.name) < normalName(b.name) ? -1 : 1));
}

/** Names compare without case and with one separator (PEP 503). */
export function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

export function distributionKey(name: string, version: string): string {
  return `${normalName(name)} ${version}`;
}

/** A lock file that pip reads: exact versions with hashes, where they are known. */
export function lockFileText(packages: readonly LockedPackage[]): string {
  return packages
    .map(({ name, version, sha256 }) => `${name}==${version}${sha256 === null ? '' : ` --hash=sha256:${sha256}`}\n`)
    .join('');
}
