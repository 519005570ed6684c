export { assetPath, entryPath, type EntryName } from './entry-path.ts';
