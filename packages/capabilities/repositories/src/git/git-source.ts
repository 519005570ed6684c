import { pathToFileURL } from 'node:url';
import { AssayError } from '@assay/foundation';
import type { GitAddress } from '../source/address.ts';
import { remoteFailure } from './remote-failure.ts';

/** A repository that git reads: on this machine, or behind an address. */
export interface GitSource {
  /** What git is given. */
  readonly url: string;
  /** What a person calls it. */
  readonly shown: string;
  readonly isRemote: boolean;
  /** What it means that git could not read it. */
  readonly failure: (stderr: string) => AssayError;
}

export function localSource(root: string): GitSource {
  const failure = (stderr: string) => unreadable(root, stderr);
  return { url: pathToFileURL(root).href, shown: root, isRemote: false, failure };
}

export function remoteSource(address: GitAddress, secret: string | undefined): GitSource {
  const failure = (stderr: string) => remoteFailure(address, stderr, secret);
  return { url: address.url, shown: address.url, isRemote: true, failure };
}

/** Git refused the repository; its own words are the reason. */
export function unreadable(root: string, stderr: string): AssayError {
  const reason = stderr.split('\n').find((line) => /^(fatal|error):/.test(line)) ?? stderr.split('\n')[0];
  return new AssayError('repository_unreadable', `git cannot read ${root}`, {
    why: reason === undefined || reason === '' ? 'git gave no reason' : reason,
    hint: 'run "git fsck" in it, or give a fresh clone or a plain copy of its files',
    details: { path: root },
  });
}
