import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AssayError,
  errorCode,
  errorText,
  isId,
  isoTime,
  newId,
  Resources,
  type Clock,
  type Logger,
} from '@assay/foundation';
import type { AssayEvent, Quest } from '@assay/contracts';
import type { Journal } from '@assay/event-store';
import { syncDirectory } from '@assay/files';
import {
  createArtifactStore,
  createEvidenceStore,
  createQuestRepo,
  questPaths,
  readQuestFile,
} from '@assay/quest-repo';
import { commitAfterPlans } from './commit-after-plans.ts';
import { questIndexProjection } from './quest-index.ts';
import type { QuestHandle } from './quest-handle.ts';

export interface QuestRegistryOptions {
  readonly questsDir: string;
  readonly openJournal: (options: { readonly dir: string; readonly quest: string }) => Promise<Journal>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Prefix of the folder in which a quest is made before it appears under its id. */
const STAGING = '.new-';

/** A quest that cannot be opened, and why. */
export interface BrokenQuest {
  readonly id: string;
  readonly problem: AssayError;
}

/** The quests of one home. Each is opened once and stays open until the registry is disposed. */
export class QuestRegistry implements AsyncDisposable {
  readonly #options: QuestRegistryOptions;
  readonly #open = new Map<string, Promise<QuestHandle>>();
  readonly #resources = new Resources();
  readonly #listeners = new Set<(event: AssayEvent) => void>();

  constructor(options: QuestRegistryOptions) {
    this.#options = options;
  }

  async ids(): Promise<readonly string[]> {
    return (await namesIn(this.#options.questsDir)).filter((name) => isId('quest', name)).sort();
  }

  /** Rejects with `not_found`, or with what is wrong with the quest's files. */
  get(questId: string): Promise<QuestHandle> {
    const opened = this.#open.get(questId) ?? this.#openQuest(questId);
    this.#open.set(questId, opened);
    opened.catch(() => this.#open.delete(questId)); // a mended quest can be opened by the next call
    return opened;
  }

  /** Opens every quest, a few at a time; one that is broken does not hide the others. */
  async all(): Promise<{ readonly quests: readonly QuestHandle[]; readonly broken: readonly BrokenQuest[] }> {
    const quests: QuestHandle[] = [];
    const broken: BrokenQuest[] = [];
    const waiting = [...(await this.ids())];
    const worker = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        try {
          quests.push(await this.get(id));
        } catch (error) {
          broken.push({ id, problem: asProblem(id, error) });
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return { quests: quests.sort((a, b) => (a.quest.id < b.quest.id ? -1 : 1)), broken };
  }

  /** Called for every event of every open quest, after its sync. */
  subscribe(listener: (event: AssayEvent) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async create(input: { readonly title: string; readonly goal: string }): Promise<QuestHandle> {
    const quest: Quest = {
      v: 1,
      id: newId('quest'),
      title: input.title,
      goal: input.goal,
      active_anchor: 'baseline',
      mode: 'copilot',
      locale: 'en',
      created_at: isoTime(this.#options.clock.now()),
    };
    const staging = join(this.#options.questsDir, `${STAGING}${quest.id}`);
    await createQuestRepo(staging, quest);
    await this.#firstEvent(staging, quest);
    await rename(staging, join(this.#options.questsDir, quest.id));
    await syncDirectory(this.#options.questsDir);
    return this.get(quest.id);
  }

  /** A quest appears with its journal or not at all. */
  async #firstEvent(staging: string, quest: Quest): Promise<void> {
    await using journal = await this.#options.openJournal({ dir: join(staging, '.assay'), quest: quest.id });
    await journal.append([{ type: 'quest.created', data: { title: quest.title, goal: quest.goal } }]);
  }

  /** Removes quests that a crash left half made; nobody was ever told of them. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#options.questsDir))
      if (name.startsWith(STAGING)) await rm(join(this.#options.questsDir, name), { recursive: true, force: true });
  }

  async #openQuest(questId: string): Promise<QuestHandle> {
    if (!isId('quest', questId)) throw notFound(questId);
    const root = join(this.#options.questsDir, questId);
    if (!(await this.ids()).includes(questId)) throw notFound(questId);
    const paths = questPaths(root);
    const quest = await readQuestFile(paths.questFile);
    if (quest.id !== questId)
      throw new AssayError('record_invalid', `${paths.questFile} names another quest`, {
        why: `it says ${quest.id}`,
        hint: 'restore the file with: git checkout quest.yaml',
      });
    const journal = await this.#options.openJournal({ dir: join(root, '.assay'), quest: questId });
    if (journal.problem !== null && journal.problem.code !== 'journal_read_only') {
      await journal[Symbol.asyncDispose]();
      throw journal.problem;
    }
    const handle: QuestHandle = {
      quest,
      paths,
      journal,
      artifacts: createArtifactStore({ root, quest: questId, clock: this.#options.clock }),
      evidence: createEvidenceStore(root),
      index: await journal.project(questIndexProjection),
      append: async (drafts) => void (await journal.append(drafts)),
    };
    this.#resources.use(journal);
    if (journal.notes.length > 0 && journal.problem === null)
      await handle.append([{ type: 'quest.opened', data: { notes: [...journal.notes] } }]);
    this.#resources.use(commitAfterPlans(handle, this.#options.logger));
    journal.subscribe((event) => {
      for (const listener of this.#listeners) listener(event);
    });
    return handle;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#open.values());
    this.#open.clear();
    await this.#resources[Symbol.asyncDispose]();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function notFound(questId: string): AssayError {
  return new AssayError('not_found', `there is no quest ${questId}`, {
    hint: 'list the plans of all quests with: assay plan list',
  });
}

function asProblem(id: string, error: unknown): AssayError {
  if (error instanceof AssayError) return error;
  return new AssayError('record_invalid', `the quest ${id} cannot be opened`, {
    why: errorText(error),
    hint: 'run "assay fsck"',
    cause: error,
  });
}
