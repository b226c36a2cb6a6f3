// Graphs as Mermaid or Graphviz DOT. Labels are escaped, because names and commands may contain any character.

import type { JobState } from '../../../job/job.ts';
import type { Graph, GraphEdge, GraphNode } from '../../../report/graph.ts';
import { commandLine } from '../kit/command-line.ts';
import { titleOf } from './graph.ts';

const COLOURS: Readonly<Record<JobState, string>> = {
  blocked: '#e5e7eb',
  pending: '#ffffff',
  processing: '#bae6fd',
  failed: '#fde68a',
  completed: '#bbf7d0',
  dead: '#fecaca',
  cancelled: '#d1d5db',
};

const RULE_LABELS: Readonly<Record<GraphEdge['rule'], string>> = {
  success: '',
  end: 'any outcome',
  failure: 'failure',
  member: '',
};

export function mermaidText({ nodes, edges }: Graph): string {
  const names = namesOf(nodes);
  const lines = [
    'flowchart TD',
    ...nodes.map(
      (node) => `    ${names.get(node.id)}["${labelOf(node).map(forMermaid).join('<br/>')}"]${classOf(node)}`,
    ),
    ...edges.map(({ parent, child, rule }) => {
      const label = RULE_LABELS[rule];
      return `    ${names.get(parent)} -->${label === '' ? '' : `|${label}|`} ${names.get(child)}`;
    }),
    ...statesIn(nodes).map((state) => `    classDef ${state} fill:${COLOURS[state]},stroke:#6b7280,color:#111827`),
  ];
  return lines.join('\n');
}

export function dotText({ nodes, edges }: Graph): string {
  const names = namesOf(nodes);
  const lines = [
    'digraph queue {',
    '  node [shape=box, style="rounded,filled", fontname="sans-serif", color="#6b7280"];',
    ...nodes.map((node) => {
      const fill = node.state === null ? '#f3f4f6' : COLOURS[node.state];
      return `  ${names.get(node.id)} [label="${labelOf(node).map(forDot).join('\\n')}", fillcolor="${fill}"];`;
    }),
    ...edges.map(({ parent, child, rule }) => {
      const label = RULE_LABELS[rule];
      return `  ${names.get(parent)} -> ${names.get(child)}${label === '' ? '' : ` [label="${label}", style=dashed]`};`;
    }),
    '}',
  ];
  return lines.join('\n');
}

const namesOf = (nodes: readonly GraphNode[]): Map<string, string> =>
  new Map(nodes.map(({ id }, i) => [id, `n${i + 1}`]));

const LONGEST_COMMAND = 60;

function labelOf(node: GraphNode): string[] {
  const state =
    node.state ??
    Object.entries(node.counts ?? {})
      .map(([name, n]) => `${n} ${name}`)
      .join(', ');
  const command = node.command === null ? [] : [shortened(commandLine(node.command))];
  return [titleOf(node), ...command, state];
}

const shortened = (text: string): string =>
  text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND - 1).toWellFormed()}…` : text;

const classOf = ({ state }: GraphNode): string => (state === null ? '' : `:::${state}`);

const statesIn = (nodes: readonly GraphNode[]): JobState[] => [
  ...new Set(nodes.flatMap(({ state }) => (state === null ? [] : [state]))),
];

/** Escapes characters with a meaning in Mermaid or Markdown as numbers. */
const forMermaid = (text: string): string =>
  text.replace(/[^\p{L}\p{N} .,:=/+_-]/gu, (char) => `#${char.codePointAt(0)};`);

const forDot = (text: string): string => text.replace(/["\\]/g, '\\$&');
