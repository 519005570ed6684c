import type { AgentRole, Edge, Plan, Task } from '@assay/contracts';

/** Measures of the graph in pixels, on the 4 px grid. */
export const grid = { laneWidth: 208, node: { width: 176, height: 46 }, rowHeight: 68, top: 44, left: 20 } as const;

export interface PlacedTask {
  readonly task: Task;
  /** Place in the order of work, from 1. */
  readonly order: number;
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly artifact: string;
  readonly path: string;
  readonly label: { readonly x: number; readonly y: number };
}

export interface Layout {
  readonly lanes: readonly { readonly role: AgentRole; readonly x: number }[];
  readonly tasks: readonly PlacedTask[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/**
 * Time runs down, roles are lanes: a task stands in the lane of who does it, one row below the last of what it needs.
 * Tasks of one row in one lane move on to the next row. Edges to the task right below in the order of work are always drawn;
 * those that skip rows only for the selected task, because all of them at once hide the graph.
 */
export function layoutOf(plan: Plan, selected: string | undefined): Layout {
  const roles = [...new Set(plan.tasks.map((task) => task.assignedTo))];
  const rows = rowsOf(plan.tasks);
  const placed = new Map<string, PlacedTask>();
  [...plan.tasks]
    .sort((a, b) => rows.get(a.id)! - rows.get(b.id)!)
    .forEach((task, index) => {
      const x = roles.indexOf(task.assignedTo) * grid.laneWidth + grid.left;
      placed.set(task.id, { task, order: index + 1, x, y: grid.top + rows.get(task.id)! * grid.rowHeight });
    });
  const tasks = [...placed.values()];
  return {
    lanes: roles.map((role, index) => ({ role, x: index * grid.laneWidth })),
    tasks,
    edges: shownEdges(plan.edges, rows, selected).map((edge, index) => placeEdge(edge, placed, index)),
    width: roles.length * grid.laneWidth,
    height: grid.top + (Math.max(-1, ...rows.values()) + 1) * grid.rowHeight + 16,
  };
}

/** Row of each task: below all it depends on, and never beside another task of its lane. */
function rowsOf(tasks: readonly Task[]): Map<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows = new Map<string, number>();
  const taken = new Set<string>();
  const place = (task: Task): number => {
    const known = rows.get(task.id);
    if (known !== undefined) return known;
    let row = Math.max(-1, ...task.dependencies.map((id) => place(byId.get(id)!))) + 1;
    while (taken.has(`${task.assignedTo} ${row}`)) row += 1;
    taken.add(`${task.assignedTo} ${row}`);
    rows.set(task.id, row);
    return row;
  };
  for (const task of tasks) place(task);
  return rows;
}

/** One edge per pair of tasks: between neighbouring rows always, over rows only into the selected task. */
function shownEdges(edges: readonly Edge[], rows: ReadonlyMap<string, number>, selected: string | undefined): Edge[] {
  const reached = new Set<string>();
  return edges.filter((edge) => {
    const key = `${edge.from} ${edge.to}`;
    const isNext = 1 === rows.get(edge.to)! - rows.get(edge.from)!;
    if (edge.kind !== 'data' || reached.has(key) || !(isNext || edge.to === selected)) return false;
    reached.add(key);
    return true;
  });
}

/** Edges between neighbours run from bottom to top; longer ones leave and enter at the side, in the gutter of a lane. */
function placeEdge(edge: Edge, placed: ReadonlyMap<string, PlacedTask>, index: number): PlacedEdge {
  const from = placed.get(edge.from)!;
  const to = placed.get(edge.to)!;
  const known = { id: edge.id, from: edge.from, to: edge.to, artifact: edge.artifact ?? '' };
  const isNext = to.y - from.y <= grid.rowHeight;
  return { ...known, ...(isNext ? straight(from, to) : around(from, to, index)) };
}

type Drawn = Pick<PlacedEdge, 'path' | 'label'>;

function straight(from: PlacedTask, to: PlacedTask): Drawn {
  const { width, height } = grid.node;
  const start = { x: from.x + width / 2, y: from.y + height };
  const end = { x: to.x + width / 2 + 24 * Math.sign(from.x - to.x), y: to.y };
  const turn = end.y - 11;
  const label = {
    x: start.x === end.x ? start.x + 6 : Math.min(start.x, end.x) + 8,
    y: start.x === end.x ? turn + 4 : turn - 3,
  };
  return { path: `M${start.x} ${start.y}V${turn}H${end.x}V${end.y}`, label };
}

function around(from: PlacedTask, to: PlacedTask, index: number): Drawn {
  const { width, height } = grid.node;
  const offset = (index % 5) * 3;
  const gutter = from.x - 4 - offset;
  const start = { x: from.x, y: from.y + height / 2 + offset };
  const entersLeft = to.x >= from.x;
  const end = { x: entersLeft ? to.x : to.x + width, y: to.y + 8 + ((index * 7) % (height - 16)) };
  return {
    path: `M${start.x} ${start.y}H${gutter}V${end.y}H${end.x}`,
    label: { x: entersLeft ? Math.max(gutter + 4, to.x - grid.laneWidth + 40) : end.x + 6, y: end.y - 3 },
  };
}
