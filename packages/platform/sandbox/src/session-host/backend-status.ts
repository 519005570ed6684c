import { LineSplitter } from './lines.ts';

const MAX_STATUS_BYTES = 64 * 1024;

/**
 * What bubblewrap says on `--json-status-fd`. `child-pid` is process 1 of the new namespace, said before the boundary
 * is complete. `exit-code` is said only of a command that was really executed: its absence means that nothing ran.
 */
export class BackendStatus {
  readonly #lines = new LineSplitter(MAX_STATUS_BYTES);
  initPid: number | undefined;
  exitCode: number | undefined;

  push(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) this.#read(line);
  }

  #read(line: string): void {
    const said = JSON.parse(line) as Record<string, unknown>;
    if (typeof said['child-pid'] === 'number') this.initPid = said['child-pid'];
    if (typeof said['exit-code'] === 'number') this.exitCode = said['exit-code'];
  }
}
