import { AssayError } from '@assay/foundation';
import { inspectRepository } from '@assay/repositories';
import { repositoryAccess } from '../repository-access.ts';
import type { TaskType } from '../task-type.ts';

/** What the user named wins; nothing is searched for. */
export const repoDiscovery: TaskType = {
  type: 'repo_discovery',
  codeVersion: 2,
  async run(context) {
    const { repository: given, ref: revision, subfolder } = context.plan.inputs;
    if (given === undefined)
      throw new AssayError('repository_missing', 'the plan names no repository', {
        hint: 'create the plan again with a repository: assay benchmark --repo FOLDER --data …',
      });
    const access = await repositoryAccess(context, given);
    const ref = await inspectRepository(given, { ...access, ref: revision, subfolder });
    const { root: path, kind, commit } = ref;
    const candidate = { source: 'user', path, subfolder: ref.subfolder, kind, commit, package: ref.package, score: 1 };
    return {
      outputs: {
        candidate_repositories: { type: 'json', value: [candidate] },
        repo_validation_report: {
          type: 'json',
          value: { ok: true, chosen: candidate, why: 'it was named by the user', notes: ref.notes },
        },
        repo_url: { type: 'url', value: ref },
      },
      summary: summaryOf(ref),
    };
  },
};

function summaryOf({ kind, root, commit, package: file }: Awaited<ReturnType<typeof inspectRepository>>): string {
  if (file !== null) return `package ${file.name} ${file.version}`;
  return commit === null ? `${kind} ${root}` : `git repository at commit ${commit.slice(0, 12)}`;
}
