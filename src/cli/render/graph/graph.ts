// Graphs in the terminal: lanes on the left, job details on the right. States have a word, a shape and a colour.

import type { JobState } from '../../../job/job.ts';
import type { Graph, GraphEdge, GraphNode, StateCounts } from '../../../report/graph.ts';
import type { Screen } from '../../terminal.ts';
import { commandLine } from '../kit/command-line.ts';
import { type DrawnNode, fold } from './graph-fold.ts';
import { inOrder, lanes } from './graph-lanes.ts';
import { count } from '../kit/human.ts';
import { countsText } from '../kit/state-counts.ts';
import type { Style } from '../kit/style.ts';
import { type Column, layoutFor, rowOf } from '../kit/table.ts';
import { oneLine } from '../kit/text.ts';

const SHAPES: Readonly<Record<JobState, string>> = {
  blocked: '◌',
  pending: '○',
  processing: '●',
  failed: '!',
  completed: '✓',
  dead: '✗',
  cancelled: '⊘',
};
const GROUP_SHAPE = '▣';
const FOLDED_SHAPE = '…';

/** In wider drawings, lanes are harder to follow than names. */
const WIDEST_DRAWING = 40;
const SHARE_FOR_DRAWING = 0.4;

const COLUMNS: readonly Column[] = [
  { title: '' },
  { title: '', gives: true, least: 16 },
  { title: '' },
  { title: '', spare: 1 },
  { title: '', gives: true, least: 12, spare: 2 },
];

export function graphText(graph: Graph, screen: Screen): string {
  const { nodes, edges } = fold(graph);
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const keys = nodes.map(({ key }) => key);
  const drawing = lanes(keys, edges);
  const widest = Math.max(0, ...drawing.map(({ before }) => before.length + 1));
  const rows = fits(widest, screen.width)
    ? drawing.map(({ before, key, behind }) => {
        if (key === null) return [before, '', '', '', ''];
        const node = byKey.get(key);
        return node ? cells(node, edges, byKey, screen.style, [before, behind], false) : [];
      })
    : inOrder(keys, edges).flatMap((key) => {
        const node = byKey.get(key);
        return node ? [cells(node, edges, byKey, screen.style, ['', ''], true)] : [];
      });
  const layout = layoutFor(COLUMNS, rows, screen.width);
  const lines = rows.map((row) => rowOf(layout, row));
  if (graph.leftOut > 0) lines.push(screen.style.dim(`and at least ${count(graph.leftOut)} more jobs (not shown)`));
  return lines.join('\n');
}

const fits = (drawing: number, width: number | null): boolean =>
  drawing <= Math.min(WIDEST_DRAWING, (width ?? Number.POSITIVE_INFINITY) * SHARE_FOR_DRAWING);

type ByKey = ReadonlyMap<string, DrawnNode>;

/** The drawing, name, state, ID if it differs from the name, and the dependencies or command. */
function cells(
  { key, node, folded }: DrawnNode,
  edges: readonly GraphEdge[],
  byKey: ByKey,
  style: Style,
  [before, behind]: readonly [string, string],
  namesAll: boolean,
): string[] {
  const waits = waitsFor(key, edges, byKey, namesAll);
  if (node === null)
    return [`${before}${FOLDED_SHAPE}${behind}`, `${count(total(folded))} more`, countsText(folded, style), '', waits];
  if (node.state === null)
    return [`${before}${GROUP_SHAPE}${behind}`, node.id, countsText(node.counts, style), '', waits];
  const paint = style.state(node.state);
  const shape = `${before}${paint(SHAPES[node.state])}${behind}`;
  const command = node.command === null ? '' : commandLine(node.command);
  const text = [waits, command].filter((part) => part !== '').join('  ');
  return [shape, titleOf(node), paint(node.state), node.name === null ? '' : style.dim(node.id), text];
}

export const titleOf = ({ name, id }: GraphNode): string => oneLine(name ?? id);

const total = (counts: StateCounts | null): number => Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);

/** Names dependencies with unusual rules, or all of them if there is no drawing. */
function waitsFor(key: string, edges: readonly GraphEdge[], byKey: ByKey, namesAll: boolean): string {
  const own = edges.filter(({ child, rule }) => child === key && (namesAll || !DRAWN.includes(rule)));
  const phrases = Map.groupBy(own, ({ rule }) => rule);
  return [...phrases]
    .map(([rule, some]) => RULES[rule](some.map(({ parent }) => nameOf(byKey.get(parent))).join(', ')))
    .join('; ');
}

/** Rules that the drawing shows without words. */
const DRAWN: readonly GraphEdge['rule'][] = ['success', 'member'];

const RULES: Readonly<Record<GraphEdge['rule'], (names: string) => string>> = {
  success: (names) => `after ${names}`,
  end: (names) => `after any outcome of ${names}`,
  failure: (names) => `after failure of ${names}`,
  member: (names) => `all of ${names}`,
};

function nameOf(drawn: DrawnNode | undefined): string {
  if (drawn === undefined) return '?';
  return drawn.node === null ? `${count(total(drawn.folded))} more` : titleOf(drawn.node);
}
