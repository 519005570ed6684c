import type { ModuleFacts } from './scan-result.ts';

export interface ImportCosts {
  /** Why the modules cannot be imported in a run without a person and a network. */
  readonly reason: string | undefined;
  /** Taken from the confidence. */
  readonly penalty: number;
  readonly evidence: readonly string[];
}

const fatal = new Set(['waits for input', 'exits', 'reads the command line', 'loops for ever']);
const penalties: Readonly<Record<string, number>> = {
  sleeps: 0.05,
  trains: 0.05,
  'opens a file': 0.03,
  'uses the network': 0.25,
  'starts a process': 0.25,
};

/** What importing these modules does besides defining things. */
export function importCosts(modules: readonly ModuleFacts[]): ImportCosts {
  const found = modules.flatMap((module) =>
    module.atImport.map((cost) => ({ ...cost, where: `${module.path}:${cost.line}` })),
  );
  const stop = found.find((cost) => fatal.has(cost.what));
  const worst = found.reduce((most, cost) => Math.max(most, penalties[cost.what] ?? 0), 0);
  return {
    reason: stop === undefined ? undefined : `importing it ${stop.what} (${stop.where})`,
    penalty: worst,
    evidence: found.slice(0, 4).map((cost) => `${cost.where} ${cost.what} when it is imported`),
  };
}
