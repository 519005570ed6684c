import { shellQuoted } from '@assay/foundation';
import { homeFolder } from './daemon/home-paths.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A command line to copy: with the home when it is not the one that would be used anyway, through npx when this one
 * was started by npm or from a clone.
 */
export function commandLine(env: Environment, words: string, home = homeFolder(env)): string {
  const throughNpm = env['npm_command'] !== undefined || env['ASSAY_ROOT'] !== undefined;
  const program = throughNpm ? 'npx assay' : 'assay';
  const prefix = home === homeFolder(env) ? '' : `ASSAY_HOME=${shellQuoted(home)} `;
  return `${prefix}${program} ${words}`;
}
