// A circle among things that wait for each other: none of them would ever run.

export interface WaitsFor {
  readonly waiting: string;
  readonly on: string;
}

/** The names along the first circle that is found, the first one again at its end; null if there is none. */
export function findCycle(edges: readonly WaitsFor[]): string[] | null {
  const parents = Map.groupBy(edges, ({ waiting }) => waiting);
  const done = new Set<string>();
  for (const start of parents.keys()) {
    const cycle = walk(start, parents, done);
    if (cycle) return cycle;
  }
  return null;
}

/** Depth first, with a stack of its own: a chain of jobs may be longer than the stack of calls. */
function walk(
  start: string,
  parents: ReadonlyMap<string, readonly WaitsFor[]>,
  done: Set<string>,
): string[] | null {
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
