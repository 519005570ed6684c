import { open, readlink } from 'node:fs/promises';
import { constants } from 'node:fs';
import { unprintedFolders } from '../fingerprint.ts';
import { entryName, walkTree, type TreeEntry } from '../tree-walk.ts';
import { pythonTokens, type PythonToken } from './python-tokens.ts';
import { configWithoutSeeds, withoutSeeds } from './without-seeds.ts';

/** How much of a difference two trees have, the least first. */
export const codeRelations = ['same', 'same_tokens', 'seed_only', 'different'] as const;
/**
 * `same`: every file has the same bytes. `same_tokens`: they differ in comments, docstrings, white space or documentation.
 * `seed_only`: and in numbers that seed random numbers. `different`: in something that may matter.
 */
export type CodeRelation = (typeof codeRelations)[number];

export interface TreeRelation {
  readonly relation: CodeRelation;
  /** Up to five files that make it so. */
  readonly files: readonly string[];
}

/** Larger files, and files of trees with more, are compared by their bytes alone. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_NAMED = 5;

const DOCUMENT = /\.(md|markdown|rst|adoc)$|^(readme|licen[cs]e|copying|notice|authors|changelog|changes)(\.txt)?$/i;
const CONFIG = /\.(json|ya?ml|toml|ini|cfg)$/i;

/** Compares two prepared trees file by file, without running anything. Links are compared by where they lead. */
export async function relateTrees(first: string, second: string, signal?: AbortSignal): Promise<TreeRelation> {
  const ours = await filesOf(first, signal);
  const theirs = await filesOf(second, signal);
  let worst: CodeRelation = 'same';
  const named = new Map<CodeRelation, string[]>();
  for (const path of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    signal?.throwIfAborted();
    const relation = await relateFiles(ours.get(path), theirs.get(path));
    if (rank(relation) > rank(worst)) worst = relation;
    const files = named.get(relation) ?? [];
    if (files.length < MOST_NAMED) files.push(Buffer.from(path, 'latin1').toString('utf8'));
    named.set(relation, files);
  }
  return { relation: worst, files: worst === 'same' ? [] : (named.get(worst) ?? []) };
}

function rank(relation: CodeRelation): number {
  return codeRelations.indexOf(relation);
}

/** By path; bytes are kept apart in Latin-1, because a file name need not be UTF-8. */
async function filesOf(root: string, signal: AbortSignal | undefined): Promise<Map<string, TreeEntry>> {
  const files = new Map<string, TreeEntry>();
  const enter = ({ path }: TreeEntry) => !unprintedFolders.includes(path.toString('utf8'));
  for await (const entry of walkTree(root, { signal, enter }))
    if (!entry.stat.isDirectory()) files.set(entry.path.toString('latin1'), entry);
  return files;
}

async function relateFiles(first: TreeEntry | undefined, second: TreeEntry | undefined): Promise<CodeRelation> {
  const name = entryName((first ?? second)!);
  if (first === undefined || second === undefined) return DOCUMENT.test(name) ? 'same_tokens' : 'different';
  const [ours, theirs] = [await contentOf(first), await contentOf(second)];
  if (ours === undefined || theirs === undefined) return 'different';
  if (ours.equals(theirs)) return 'same';
  if (DOCUMENT.test(name)) return 'same_tokens';
  if (first.stat.size > MOST_BYTES || second.stat.size > MOST_BYTES) return 'different';
  const texts = [ours.toString('utf8'), theirs.toString('utf8')] as const;
  if (/\.pyi?$/i.test(name)) return relatePython(...texts);
  return CONFIG.test(name) && configWithoutSeeds(texts[0]) === configWithoutSeeds(texts[1]) ? 'seed_only' : 'different';
}

function relatePython(first: string, second: string): CodeRelation {
  const [ours, theirs] = [pythonTokens(first), pythonTokens(second)];
  if (equal(ours, theirs)) return 'same_tokens';
  return equal(withoutSeeds(ours), withoutSeeds(theirs)) ? 'seed_only' : 'different';
}

function equal(a: readonly PythonToken[], b: readonly PythonToken[]): boolean {
  return a.length === b.length && a.every((token, i) => token.kind === b[i]!.kind && token.text === b[i]!.text);
}

/** Undefined for what is neither a file nor a link. */
async function contentOf({ absolute, stat }: TreeEntry): Promise<Buffer | undefined> {
  if (stat.isSymbolicLink())
    return Buffer.concat([Buffer.from('link '), await readlink(absolute, { encoding: 'buffer' })]);
  if (!stat.isFile()) return undefined;
  const file = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
