import { parseAddress, requireSecretPlace, type Credential, type PackageIndex } from '@assay/repositories';
import type { TaskContext } from './task-type.ts';

/** How a task reaches the repository of its plan: with the secret that the plan names, and through this machine's pip. */
export async function repositoryAccess(
  { plan, secret, packageSecrets, python, settings, signal, log }: TaskContext,
  repository: string,
): Promise<{
  readonly credential?: Credential;
  readonly packages?: PackageIndex;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (line: string) => void;
}> {
  const address = parseAddress(repository);
  const name = plan.inputs.secret;
  const local = { timeoutSeconds: settings.repositories.timeoutSeconds, signal };
  if (address.kind === 'path') {
    if (name !== undefined) requireSecretPlace(address, name);
    return local;
  }
  const common = { ...local, onProgress: seldom((line) => log('info', line)) };
  if (address.kind === 'package')
    return { ...common, packages: { python: (await python()).executable, passwords: await packageSecrets() } };
  if (name === undefined) return common;
  return { ...common, credential: await secret(name, requireSecretPlace(address, name)) };
}

const SECONDS = 2;

/** Git counts objects many times a second; a journal needs to know that it goes on. */
function seldom(tell: (line: string) => void): (line: string) => void {
  let last = -Infinity;
  return (line) => {
    if (performance.now() - last < SECONDS * 1000) return;
    last = performance.now();
    tell(line);
  };
}
