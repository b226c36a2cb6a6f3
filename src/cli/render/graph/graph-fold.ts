// Makes a graph small enough to read: of many jobs with the same dependencies and dependents, a few are kept, and the
// others become one node with their number.

import type { JobState } from '../../../job/job.ts';
import type { Graph, GraphEdge, GraphNode, StateCounts } from '../../../report/graph.ts';

/** A node to draw. A folded node stands for several jobs. */
export interface DrawnNode {
  readonly key: string;
  readonly node: GraphNode | null;
  /** The number of folded jobs by state, or null for a single job. */
  readonly folded: StateCounts | null;
}

export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly GraphEdge[];
}

/** Up to this number, all similar jobs are drawn. */
const MOST_ALIKE = 8;
/** Of more jobs, this many are kept. */
const KEPT = 4;

/** The most interesting states first. */
const BY_INTEREST: readonly (JobState | null)[] = [
  'processing', 'failed', 'dead', 'cancelled', 'pending', 'blocked', 'completed', null,
]; // biome-ignore format: a list of words

export function fold({ nodes, edges }: Graph): DrawnGraph {
  const keys = new Map<string, string>();
  const folds = new Map<string, DrawnNode>();
  for (const alike of placesOf(nodes, edges).filter(({ length }) => length > MOST_ALIKE)) {
    const hidden = alike.toSorted((a, b) => interest(a) - interest(b)).slice(KEPT);
    const key = `fold:${hidden[0]?.id}`;
    folds.set(key, { key, node: null, folded: countsOf(hidden) });
    for (const { id } of hidden) keys.set(id, key);
  }
  return { nodes: drawn(nodes, keys, folds), edges: between(edges, keys) };
}

const interest = ({ state }: GraphNode): number => BY_INTEREST.indexOf(state);

/** Groups jobs by their position in the graph, except for groups. */
function placesOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): GraphNode[][] {
  const ties = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { parent, child, rule } of edges) {
    ties.get(child)?.push(`< ${rule} ${parent}`);
    ties.get(parent)?.push(`> ${rule} ${child}`);
  }
  const jobs = nodes.filter(({ state }) => state !== null);
  return [...Map.groupBy(jobs, ({ id }) => ties.get(id)?.sort().join('\n')).values()];
}

function countsOf(nodes: readonly GraphNode[]): StateCounts {
  const counts: Partial<Record<JobState, number>> = {};
  for (const { state } of nodes) if (state !== null) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Folded nodes come last. */
function drawn(
  nodes: readonly GraphNode[],
  keys: ReadonlyMap<string, string>,
  folds: ReadonlyMap<string, DrawnNode>,
): DrawnNode[] {
  const kept = nodes.filter(({ id }) => !keys.has(id)).map((node) => ({ key: node.id, node, folded: null }));
  return [...kept, ...folds.values()];
}

function between(edges: readonly GraphEdge[], keys: ReadonlyMap<string, string>): GraphEdge[] {
  const keyOf = (id: string): string => keys.get(id) ?? id;
  const found = new Map<string, GraphEdge>();
  for (const { parent, child, rule } of edges) {
    const edge = { parent: keyOf(parent), child: keyOf(child), rule };
    found.set(`${edge.parent}\n${edge.child}\n${rule}`, edge);
  }
  return [...found.values()];
}
