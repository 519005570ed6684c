import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LeakingProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes of this machine, besides this one, whose command line or environment names a path. */
export async function processesOf(path: string): Promise<readonly LeakingProcess[]> {
  const found: LeakingProcess[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = await procFile(pid, 'cmdline');
    if (command.includes(path) || (await procFile(pid, 'environ')).includes(path)) found.push({ pid, command });
  }
  return found;
}

/**
 * Fails a test that leaks: on disposal no process may be left that works in this folder. What is on its way out gets a
 * moment to go.
 */
export function leakGuard(path: string, graceMs = 3000): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      for (let waited = 0; ; waited += 50) {
        const left = await processesOf(path);
        if (left.length === 0) return;
        if (waited >= graceMs) {
          const names = left.map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`).join('; ');
          throw new Error(`processes outlive their test: ${names}`);
        }
        await sleep(50);
      }
    },
  };
}

/** Empty for a process that has gone or is not ours to read. */
async function procFile(pid: number, name: 'cmdline' | 'environ'): Promise<string> {
  const text = await readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  return text.replaceAll('\0', ' ').trim();
}
