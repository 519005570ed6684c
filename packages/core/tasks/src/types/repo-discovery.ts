import { AssayError } from '@assay/foundation';
import { inspectRepository } from '@assay/repositories';
import type { TaskType } from '../task-type.ts';

/** What the user named wins; nothing is searched for. */
export const repoDiscovery: TaskType = {
  type: 'repo_discovery',
  codeVersion: 1,
  async run({ plan, signal }) {
    const given = plan.inputs.repository;
    if (given === undefined)
      throw new AssayError('repository_missing', 'the plan names no repository', {
        hint: 'create the plan again with a repository: assay benchmark --repo FOLDER --data …',
      });
    const ref = await inspectRepository(given, {
      ...(plan.inputs.ref === undefined ? {} : { ref: plan.inputs.ref }),
      signal,
    });
    const candidate = {
      source: 'user',
      path: ref.root,
      subfolder: ref.subfolder,
      kind: ref.kind,
      commit: ref.commit,
      score: 1,
    };
    return {
      outputs: {
        candidate_repositories: { type: 'json', value: [candidate] },
        repo_validation_report: {
          type: 'json',
          value: { ok: true, chosen: candidate, why: 'it was named by the user', notes: ref.notes },
        },
        repo_url: { type: 'url', value: ref },
      },
      summary: ref.commit === null ? `folder ${ref.root}` : `git repository at commit ${ref.commit.slice(0, 12)}`,
    };
  },
};
