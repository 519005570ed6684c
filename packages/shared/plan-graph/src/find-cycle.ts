import type { Task } from '@assay/contracts';

/**
 * The first circle of dependencies, its first id repeated at the end, in the direction of work; undefined when there is none.
 * Depth first with a stack of its own, so a long chain cannot overflow the call stack.
 */
export function findCycle(tasks: readonly Task[], byId: ReadonlyMap<string, Task>): string[] | undefined {
  const done = new Set<string>();
  for (const start of tasks) {
    const cycle = done.has(start.id) ? undefined : cycleFrom(start, byId, done);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function cycleFrom(start: Task, byId: ReadonlyMap<string, Task>, done: Set<string>): string[] | undefined {
  const path = [{ task: start, next: 0 }];
  const onPath = new Map([[start.id, 0]]);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const id = top.task.dependencies[top.next];
    if (id === undefined) {
      path.pop();
      onPath.delete(top.task.id);
      done.add(top.task.id);
      continue;
    }
    top.next += 1;
    const from = onPath.get(id);
    if (from !== undefined)
      return [
        id,
        ...path
          .slice(from)
          .map(({ task }) => task.id)
          .toReversed(),
      ];
    const task = byId.get(id);
    if (task === undefined || done.has(id)) continue;
    onPath.set(id, path.length);
    path.push({ task, next: 0 });
  }
  return undefined;
}
