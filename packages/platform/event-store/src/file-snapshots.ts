import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errorCode, errorText, type Logger } from '@assay/foundation';
import { writeFileDurable } from '@assay/files';
import type { Projection } from './projection.ts';
import type { Snapshot, SnapshotStore } from './snapshot-store.ts';

const schema = z.object({
  v: z.literal(1),
  quest: z.string(),
  projection: z.string(),
  version: z.number(),
  generation: z.number(),
  throughSeq: z.number().int().positive(),
  state: z.unknown(),
});

const KEPT = 2;

/** Snapshots as files `state/<projection>-<throughSeq>.json`. One that does not fit is passed over and said in the log. */
export class FileSnapshots implements SnapshotStore {
  readonly #dir: string;
  readonly #quest: string;
  readonly #logger: Logger;

  constructor(options: { readonly dir: string; readonly quest: string; readonly logger: Logger }) {
    this.#dir = join(options.dir, 'state');
    this.#quest = options.quest;
    this.#logger = options.logger;
  }

  async newest<S>(
    projection: Projection<S>,
    log: { readonly generation: number; readonly lastSeq: number },
  ): Promise<Snapshot<S> | undefined> {
    for (const throughSeq of await this.#list(projection.name)) {
      const file = this.#file(projection.name, throughSeq);
      try {
        const stored = schema.parse(JSON.parse(await readFile(file, 'utf8')));
        const why = this.#misfit(stored, { projection, throughSeq, log });
        if (why === undefined) return { state: projection.parse(stored.state), throughSeq };
        this.#logger.log('info', 'a snapshot is passed over', { file, why });
      } catch (error) {
        this.#logger.log('warn', 'a snapshot is passed over', { file, why: errorText(error) });
      }
    }
    return undefined;
  }

  async write<S>(projection: Projection<S>, snapshot: Snapshot<S> & { readonly generation: number }): Promise<void> {
    const { throughSeq, generation } = snapshot;
    const content = {
      v: 1,
      quest: this.#quest,
      projection: projection.name,
      version: projection.version,
      generation,
      throughSeq,
      state: projection.serialize(snapshot.state),
    } satisfies z.infer<typeof schema>;
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await this.#removeLeftOvers(projection.name);
    await writeFileDurable(this.#file(projection.name, throughSeq), JSON.stringify(content));
    const kept = new Set((await this.#list(projection.name)).filter((seq) => seq <= throughSeq).slice(0, KEPT));
    for (const seq of await this.#list(projection.name))
      if (!kept.has(seq)) await unlink(this.#file(projection.name, seq));
  }

  #misfit(
    stored: z.infer<typeof schema>,
    wanted: {
      readonly projection: Pick<Projection<unknown>, 'name' | 'version'>;
      readonly throughSeq: number;
      readonly log: { readonly generation: number; readonly lastSeq: number };
    },
  ): string | undefined {
    const { projection, throughSeq, log } = wanted;
    if (stored.quest !== this.#quest) return `it belongs to ${stored.quest}`;
    if (stored.projection !== projection.name || stored.throughSeq !== throughSeq)
      return 'it has the name of another one';
    if (stored.version !== projection.version) return `version ${stored.version}, now ${projection.version}`;
    if (stored.generation !== log.generation) return `generation ${stored.generation}, now ${log.generation}`;
    if (throughSeq > log.lastSeq) return `it is ahead of the log, which ends with event ${log.lastSeq}`;
    return undefined;
  }

  /** What a crash left of a snapshot that was being written. */
  async #removeLeftOvers(name: string): Promise<void> {
    const temporary = new RegExp(`^${name}-\\d+\\.json\\.[0-9a-f]+\\.tmp$`);
    for (const file of await this.#files()) if (temporary.test(file)) await unlink(join(this.#dir, file));
  }

  async #files(): Promise<string[]> {
    try {
      return await readdir(this.#dir);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** The seqs of a projection's snapshots, newest first. */
  async #list(name: string): Promise<number[]> {
    return (await this.#files())
      .map((file) => /^([a-z][a-z0-9-]*)-([1-9]\d{0,14})\.json$/.exec(file))
      .filter((match) => match?.[1] === name)
      .map((match) => Number(match![2]))
      .sort((a, b) => b - a);
  }

  #file(name: string, throughSeq: number): string {
    return join(this.#dir, `${name}-${throughSeq}.json`);
  }
}
