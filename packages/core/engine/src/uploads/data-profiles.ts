import { realpath, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { canonicalJson, Mutex, throwIfAborted } from '@assay/foundation';
import { readingOptions, type DataPreview, type ProfileData } from '@assay/contracts';
import { answeredReading, previewOf, readProfile, type ReadProfile } from '@assay/evaluation';

/** Passes that are kept; each is bounded by what a pass may hold in memory. */
const MOST_KEPT = 2;
const MOST_HASHES = 200;

interface Identity {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

/**
 * What is in data files, for people who are about to make a plan. A file is read once for its content and way of reading;
 * another target, other inputs or another split are answered from that pass.
 */
export class DataProfiles {
  readonly #readFile: typeof readProfile;
  readonly #reading = new Mutex();
  readonly #kept = new Map<string, ReadProfile>();
  /** Hash of a file as it was, so that an unchanged one need not be read to be recognised. */
  readonly #hashes = new Map<string, { readonly identity: Identity; readonly sha256: string }>();

  constructor(readFile: typeof readProfile = readProfile) {
    this.#readFile = readFile;
  }

  async preview(given: string, said: ProfileData, signal: AbortSignal): Promise<DataPreview> {
    const path = await realpath(given);
    const { reading, choices } = await answeredReading(path, readingOptions.parse(said), signal);
    // One file is read at a time: a page that asks often must not take the machine from what runs.
    const profile = await this.#reading.run(async () => {
      throwIfAborted(signal);
      return this.#read(path, reading, signal);
    });
    return previewOf(profile, said, choices);
  }

  async #read(path: string, reading: Parameters<typeof readProfile>[1], signal: AbortSignal): Promise<ReadProfile> {
    const identity = await identityOf(path);
    const keyOf = (sha256: string) => canonicalJson([sha256, extname(path).toLowerCase(), reading]);
    const known = this.#hashes.get(path);
    if (known !== undefined && canonicalJson(known.identity) === canonicalJson(identity)) {
      const kept = this.#kept.get(keyOf(known.sha256));
      if (kept !== undefined) return this.#keep(keyOf(known.sha256), atPath(kept, path, identity));
    }
    const profile = await this.#readFile(path, { ...reading, signal });
    remember(this.#hashes, { key: path, value: { identity, sha256: profile.facts.sha256 } }, MOST_HASHES);
    return this.#keep(keyOf(profile.facts.sha256), profile);
  }

  #keep(key: string, profile: ReadProfile): ReadProfile {
    remember(this.#kept, { key, value: profile }, MOST_KEPT);
    return profile;
  }
}

/** The same bytes may lie under another name. */
function atPath(profile: ReadProfile, path: string, { mtimeMs }: Identity): ReadProfile {
  return { ...profile, facts: { ...profile.facts, path, name: basename(path), mtimeMs } };
}

async function identityOf(path: string): Promise<Identity> {
  const { size, mtimeMs, ctimeMs, ino } = await stat(path);
  return { size, mtimeMs, ctimeMs, ino };
}

/** Puts an entry at the end and drops what is oldest. */
function remember<V>(
  map: Map<string, V>,
  { key, value }: { readonly key: string; readonly value: V },
  most: number,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
