import { spawnSync } from 'node:child_process';

/** What a test may need of the machine beyond Node. */
const probes = {
  strace: () => spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0,
  bubblewrap: () =>
    spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0,
  python3: () => spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0,
  chromium: () => spawnSync('chromium', ['--version', '--no-sandbox'], { stdio: 'ignore' }).status === 0,
  'package index': () =>
    spawnSync('python3', ['-m', 'pip', 'index', 'versions', 'fire'], { stdio: 'ignore', timeout: 60_000 }).status === 0,
  root: () => process.getuid?.() === 0,
  tmpfs: () =>
    spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status === 0,
} as const;

export type Need = keyof typeof probes;

/**
 * The needs that this machine lacks, for `it.skipIf(missing('strace').length > 0)`. With ASSAY_TEST_REQUIRE=all a lack
 * is an error, so that nothing is skipped where everything is required.
 */
export function missing(...needs: readonly Need[]): readonly Need[] {
  const lacking = needs.filter((need) => !probes[need]());
  if (lacking.length > 0 && process.env['ASSAY_TEST_REQUIRE'] === 'all')
    throw new Error(`this machine lacks ${lacking.join(', ')}, and ASSAY_TEST_REQUIRE=all is set`);
  return lacking;
}
