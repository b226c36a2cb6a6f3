// Draws dependencies as lanes next to a list. A job is listed after its dependencies. From each dependency, a lane
// leads down to its last dependent, and the other dependents branch off.

import type { GraphEdge } from '../../../report/graph.ts';

/** A line of the drawing: a node with its lanes, or only joining lanes. */
export interface LaneRow {
  readonly before: string;
  /** Null if the line only joins lanes. */
  readonly key: string | null;
  /** The lanes to the right of the node. */
  readonly behind: string;
}

/** Sorts dependencies before dependents; a job follows directly after its last dependency. */
export function inOrder(keys: readonly string[], edges: readonly GraphEdge[]): string[] {
  const children = neighbours(keys, edges, 'parent', 'child');
  const missing = new Map([...neighbours(keys, edges, 'child', 'parent')].map(([key, all]) => [key, all.length]));
  const next = keys.filter((key) => missing.get(key) === 0).reverse();
  const order: string[] = [];
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    order.push(key);
    for (const child of (children.get(key) ?? []).toReversed()) {
      const left = (missing.get(child) ?? 0) - 1;
      missing.set(child, left);
      if (left === 0) next.push(child);
    }
  }
  return order;
}

export function lanes(keys: readonly string[], edges: readonly GraphEdge[]): LaneRow[] {
  const drawing = new Drawing(keys, edges);
  return inOrder(keys, edges).flatMap((key) => drawing.place(key));
}

type Neighbours = Map<string, string[]>;

/** In the order of the keys, without duplicates: two rules between the same jobs are one line. */
function neighbours(
  keys: readonly string[],
  edges: readonly GraphEdge[],
  from: 'parent' | 'child',
  to: 'parent' | 'child',
): Neighbours {
  const found = new Map<string, Set<string>>(keys.map((key) => [key, new Set()]));
  for (const edge of edges) if (found.has(edge[to])) found.get(edge[from])?.add(edge[to]);
  const place = new Map(keys.map((key, i) => [key, i]));
  const byPlace = (a: string, b: string): number => (place.get(a) ?? 0) - (place.get(b) ?? 0);
  return new Map([...found].map(([key, set]) => [key, [...set].sort(byPlace)]));
}

/** The open lanes by column, each with the job that it starts from. */
class Drawing {
  private readonly open: (string | null)[] = [];
  private readonly parents: Neighbours;
  private readonly children: Neighbours;
  /** The number of dependents that have not branched off yet. */
  private readonly left: Map<string, number>;

  constructor(keys: readonly string[], edges: readonly GraphEdge[]) {
    this.parents = neighbours(keys, edges, 'child', 'parent');
    this.children = neighbours(keys, edges, 'parent', 'child');
    this.left = new Map([...this.children].map(([key, all]) => [key, all.length]));
  }

  place(key: string): LaneRow[] {
    const parents = this.parents.get(key) ?? [];
    for (const parent of parents) this.left.set(parent, (this.left.get(parent) ?? 0) - 1);
    const columns = parents.map((parent) => this.open.indexOf(parent)).sort((a, b) => a - b);
    const goesOn = parents.length > 0 && parents.every((parent) => this.children.get(parent)?.length === 1);
    return goesOn ? this.goOn(key, columns) : [this.branchOff(key, columns)];
  }

  /** This is the only dependent of its dependencies: their lanes join and lead straight to it. */
  private goOn(key: string, columns: readonly number[]): LaneRow[] {
    const [first = 0, last = first] = [columns[0], columns.at(-1)];
    const joint = (column: number): string => {
      if (first === last) return '│';
      if (column === first) return '├';
      return column === last ? '╯' : '┴';
    };
    const meeting = this.line(columns, first, last, joint);
    for (const column of columns) this.open[column] = null;
    return [{ before: meeting.trimEnd(), key: null, behind: '' }, this.nodeAt(key, first)];
  }

  private branchOff(key: string, columns: readonly number[]): LaneRow {
    const column = this.freeColumn((columns.at(-1) ?? -1) + 1);
    const first = columns[0];
    if (first === undefined) return this.nodeAt(key, column);
    const joint = (at: number): string => {
      const isLast = this.left.get(this.open[at] ?? '') === 0;
      if (at === first) return isLast ? '╰' : '├';
      return isLast ? '┴' : '┼';
    };
    const before = this.line(columns, first, column, joint).slice(0, column * 2);
    for (const at of columns) if (this.left.get(this.open[at] ?? '') === 0) this.open[at] = null;
    return { ...this.nodeAt(key, column), before };
  }

  private freeColumn(from: number): number {
    const at = this.open.findIndex((lane, column) => column >= from && lane === null);
    return at < 0 ? Math.max(from, this.open.length) : at;
  }

  private nodeAt(key: string, column: number): LaneRow {
    const all = this.line([], 0, 0, () => '');
    while (this.open.length <= column) this.open.push(null);
    if ((this.left.get(key) ?? 0) > 0) this.open[column] = key;
    const before = all.padEnd(column * 2).slice(0, column * 2);
    return { before, key, behind: all.slice(column * 2 + 1).trimEnd() };
  }

  /** All lanes, two characters each, with a line from `first` to `last` that joins the given columns. */
  private line(columns: readonly number[], first: number, last: number, joint: (column: number) => string): string {
    const width = Math.max(this.open.length, last + 1);
    return Array.from({ length: width }, (_, at) => {
      const isInside = at > first && at < last;
      const empty = isInside ? '─' : ' ';
      const lane = columns.includes(at) ? joint(at) : this.open[at] ? '│' : empty;
      return lane + (at >= first && at < last ? '─' : ' ');
    }).join('');
  }
}
