export { fsck, type FsckReport } from './fsck/fsck.ts';
export { repairHome } from './fsck/repair.ts';
export type { Finding } from './fsck/finding.ts';
export { findQuest, type FoundQuest } from './find-quest.ts';
export { machineChecks } from './machine-checks.ts';
export { runDoctor } from './run-doctor.ts';
export { verifyOffline } from './verify-offline.ts';
