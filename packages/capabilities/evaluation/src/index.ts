export { readTable, type ReadTableOptions, type TableFacts } from './data/read-table.ts';
export { profileDataset, type ProfileOptions } from './profile/profile-dataset.ts';
export { prepareData, type PreparedData, type PrepareOptions } from './split/prepare-data.ts';
export type { SplitFacts } from './split/split-facts.ts';
export { readRowsFile, type RowsFile } from './split/rows-file.ts';
