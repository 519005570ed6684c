export {
  createArtifactStore,
  publishedData,
  type ArtifactInput,
  type ArtifactProducer,
  type ArtifactStore,
  type PublishedRecord,
} from './artifact-store.ts';
export { createEvidenceStore, type EvidenceStore } from './evidence-store.ts';
export { runGit, type GitOptions } from './git.ts';
export { commitQuest, createQuestRepo, type CommitOptions } from './quest-git.ts';
export { questPaths, type QuestPaths } from './quest-paths.ts';
export { readQuestFile, writeQuestFile } from './quest-file.ts';
