// Finds dependency cycles, in which no job could ever run.

export interface WaitsFor {
  readonly waiting: string;
  readonly on: string;
}

/** Returns the names along the first cycle found, with the first name repeated at the end, or null if there is none. */
export function findCycle(edges: readonly WaitsFor[]): string[] | null {
  const parents = Map.groupBy(edges, ({ waiting }) => waiting);
  const done = new Set<string>();
  for (const start of parents.keys()) {
    const cycle = walk(start, parents, done);
    if (cycle) return cycle;
  }
  return null;
}

/** Depth-first search with an explicit stack: a chain of jobs may be longer than the call stack allows. */
function walk(start: string, parents: ReadonlyMap<string, readonly WaitsFor[]>, done: Set<string>): string[] | null {
  const path: string[] = [];
  const stack: { readonly name: string; readonly leave: boolean }[] = [{ name: start, leave: false }];
  const onPath = new Set<string>();
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.leave) {
      path.pop();
      onPath.delete(at.name);
      done.add(at.name);
      continue;
    }
    if (onPath.has(at.name)) return [...path.slice(path.indexOf(at.name)), at.name];
    if (done.has(at.name)) continue;
    path.push(at.name);
    onPath.add(at.name);
    stack.push({ name: at.name, leave: true });
    for (const { on } of parents.get(at.name) ?? []) stack.push({ name: on, leave: false });
  }
  return null;
}
