import type { Diagnosis } from './diagnosis.ts';

export interface Space {
  /** The folder whose disk it is. */
  readonly folder: string;
  readonly freeBytes: number;
  /** What the installation had written. */
  readonly usedBytes: number;
  readonly boundBytes: number;
  /** True when it was ended because it wrote more than its bound. */
  readonly isBound: boolean;
}

interface DiskFacts {
  readonly own: string;
  readonly said: string;
  readonly end: string | undefined;
  readonly space: Space | undefined;
}

interface DiskProblem extends Pick<Diagnosis, 'evidence' | 'subject'> {
  readonly kind: 'disk_full' | 'disk_bound';
}

const MIB = 1 << 20;
const FULL = /[^\n]*(?:\[Errno (?:28|122)\]|No space left on device|Disk quota exceeded)[^\n]*/i;
/** Less than this is nothing to an installation. */
const NOTHING_LEFT = 16 * MIB;

/** Words of a package's own program count only when the disk really has nothing left. */
export function diskProblem({ own, said, end, space }: DiskFacts): DiskProblem | undefined {
  const isEmpty = space !== undefined && space.freeBytes < NOTHING_LEFT;
  if (end === 'output_limit' && space?.isBound === true)
    return { kind: 'disk_bound', evidence: `it wrote more than ${space.boundBytes} bytes`, subject: spaceText(space) };
  const line = FULL.exec(own)?.[0] ?? (isEmpty ? FULL.exec(said)?.[0] : undefined);
  if (line === undefined && !(isEmpty && own.trim() === '')) return undefined;
  const subject = space === undefined ? null : spaceText(space);
  return { kind: 'disk_full', evidence: line?.trim() ?? 'it printed nothing, and no space is left', subject };
}

function spaceText({ folder, freeBytes, usedBytes, boundBytes, isBound }: Space): string {
  if (isBound) return `it wrote more than ${size(boundBytes)} to ${folder}`;
  return `the disk of ${folder} has ${size(freeBytes)} left, and the installation had written ${size(usedBytes)}`;
}

function size(bytes: number): string {
  return bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
}
