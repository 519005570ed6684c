import { AssayError } from '@assay/foundation';

/** Bounds of an exported tree. */
export interface TreeLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export const defaultLimits: TreeLimits = { maxFiles: 200_000, maxBytes: 8 * 1024 ** 3 };

export function tooLarge(path: string, limits: TreeLimits): AssayError {
  const gib = (limits.maxBytes / 1024 ** 3).toFixed(1);
  return new AssayError('repository_too_large', `${path} is too large to export`, {
    why: `it holds more than ${limits.maxFiles.toLocaleString('en')} files or ${gib} GiB`,
    hint: 'give the subfolder that holds the code; data sets belong outside the repository',
    details: { path, ...limits },
  });
}

/** Says `task_timeout` once `seconds` have passed. */
export interface Deadline {
  readonly remainingMs: () => number;
  readonly check: () => void;
}

export function deadlineIn(seconds: number, what: string): Deadline {
  const end = performance.now() + seconds * 1000;
  const remainingMs = () => end - performance.now();
  const check = () => {
    if (remainingMs() > 0) return;
    throw new AssayError('task_timeout', `${what} did not finish in ${seconds} s`, {
      why: 'the repository is large or its file system is slow',
      hint: 'raise repositories.timeout_seconds in config.yaml, or give a smaller folder',
    });
  };
  return { remainingMs, check };
}
