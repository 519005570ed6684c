import type { Edge, Task } from '@assay/contracts';

type Ends = Pick<Task, 'id' | 'dependencies' | 'requiredArtifacts' | 'outputArtifacts'>;

/** Control edges from dependencies, data edges from the producer of each required artifact; never to itself. */
export function deriveEdges(tasks: readonly Ends[]): Edge[] {
  const producers = new Map<string, string>();
  for (const task of tasks)
    for (const key of task.outputArtifacts) if (!producers.has(key)) producers.set(key, task.id);
  const edges: Edge[] = [];
  for (const task of tasks) {
    for (const from of task.dependencies)
      edges.push({ id: `edge_${edges.length + 1}`, from, to: task.id, kind: 'control' });
    for (const artifact of task.requiredArtifacts) {
      const from = producers.get(artifact);
      if (from !== undefined && from !== task.id)
        edges.push({ id: `edge_${edges.length + 1}`, from, to: task.id, kind: 'data', artifact });
    }
  }
  return edges;
}
