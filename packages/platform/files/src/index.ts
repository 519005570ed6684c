export { exists, readJson, writeFileDurable, writeJsonDurable, syncDirectory } from './durable-file.ts';
export { removeTree } from './remove-tree.ts';
export { sha256File, sha256Text } from './hash.ts';
export { acquireHomeLock, type HomeLock, type HomeLockOptions, type HomeLockOwner } from './home-lock.ts';
export { bootId, isSameProcess, processStartTime, thisProcess, type ProcessIdentity } from './process-identity.ts';
export { ROW_BYTES, rowEnds } from './rows/row-ends.ts';
export { RowIndex, type RowCount } from './rows/row-index.ts';
export { searchRows, type RowHits } from './rows/search-rows.ts';
