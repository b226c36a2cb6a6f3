// Combines jobs with the same dependencies and dependents into one node with a count, such as the jobs of a large
// array. Pure.

import type { Graph, GraphNode, JobState } from '../../core/types.ts';

export interface FoldedNode {
  readonly id: string;
  readonly members: readonly GraphNode[];
}

export interface FoldedGraph {
  readonly nodes: readonly FoldedNode[];
  readonly edges: readonly { readonly parent: string; readonly child: string; readonly rule: string }[];
}

type Drawable = Pick<Graph, 'nodes'> & Pick<FoldedGraph, 'edges'>;

/** Smaller sets are drawn as single nodes. */
const FOLD_FROM = 4;

export function fold({ nodes, edges }: Drawable, isFolding: boolean): FoldedGraph {
  const groups = isFolding ? alike({ nodes, edges }) : nodes.map((node) => [node]);
  const folded = groups.map((members) => ({ id: idOf(members), members }));
  const homeOf = new Map(folded.flatMap(({ id, members }) => members.map((member) => [member.id, id] as const)));
  const links = new Map<string, FoldedGraph['edges'][number]>();
  for (const { parent, child, rule } of edges) {
    const [from, to] = [homeOf.get(parent), homeOf.get(child)];
    if (from !== undefined && to !== undefined && from !== to)
      links.set(`${from}\n${to}\n${rule}`, { parent: from, child: to, rule });
  }
  return { nodes: folded, edges: [...links.values()] };
}

const idOf = (members: readonly GraphNode[]): string => members[0]?.id ?? '';

function alike({ nodes, edges }: Drawable): GraphNode[][] {
  const around = new Map(nodes.map(({ id }) => [id, [] as string[]]));
  for (const { parent, child, rule } of edges) {
    around.get(parent)?.push(`>${rule} ${child}`);
    around.get(child)?.push(`<${rule} ${parent}`);
  }
  const kinds = Map.groupBy(nodes, (node) => (node.state === null ? node.id : around.get(node.id)?.sort().join('\n')));
  return [...kinds.values()].flatMap((group) => (group.length < FOLD_FROM ? group.map((node) => [node]) : [group]));
}

/** The number of jobs per state. */
export function countsOf(members: readonly GraphNode[]): Map<JobState, number> {
  const counts = new Map<JobState, number>();
  for (const { state } of members) if (state) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}
