import type { AgentRole } from '@assay/contracts';

/** What each role may be granted. A task's contract lists a subset; the tool gateway enforces it. */
export const roleTools: Readonly<Record<AgentRole, readonly string[]>> = {
  librarian: ['paper.read', 'paper.search', 'repository.discover', 'knowledge.search'],
  coder: ['repository.read', 'workspace.write', 'code.generate'],
  sandbox: ['sandbox.create', 'sandbox.command', 'sandbox.delete'],
  data: ['artifact.read', 'metrics.compute', 'plot.render', 'report.write'],
  benchmark_adapter: [
    'repository.read',
    'dataset.profile',
    'workspace.write_scoped',
    'sandbox.command',
    'metrics.validate',
  ],
  general: ['conversation.respond', 'knowledge.search'],
};

/** The tools of a contract that the role may not have. */
export function toolsBeyondRole(role: AgentRole, allowedTools: readonly string[]): string[] {
  const grant = roleTools[role] as readonly string[] | undefined;
  return allowedTools.filter((tool) => grant?.includes(tool) !== true);
}
