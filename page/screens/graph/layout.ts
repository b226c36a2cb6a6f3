// Places the nodes of a graph from left to right in the order of their dependencies.

import dagre from '@dagrejs/dagre';
import type { FoldedGraph, FoldedNode } from './fold.ts';

export const [NODE_WIDTH, NODE_HEIGHT] = [184, 44];

export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly node: FoldedNode; readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly key: string; readonly d: string; readonly rule: string }[];
}

export function layOut({ nodes, edges }: FoldedGraph): Placed {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 56, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { parent, child } of edges) graph.setEdge(parent, child);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y } = graph.node(node.id);
      return { node, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 };
    }),
    edges: edges.map(({ parent, child, rule }) => {
      const { points } = graph.edge(parent, child) as { points: { x: number; y: number }[] };
      return { key: `${parent} ${child} ${rule}`, d: curve(points), rule };
    }),
  };
}

/** A path with smooth corners and straight ends. */
function curve(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return '';
  const parts = rest.map((point, i) => {
    const next = rest[i + 1] ?? last;
    return `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  });
  return `M${first.x},${first.y}${parts.join('')}L${last.x},${last.y}`;
}
