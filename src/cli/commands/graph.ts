import { type Graph, graphToJson } from '../../report/graph.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { onlyOneOf } from '../options/checks.ts';
import { graphText } from '../render/graph/graph.ts';
import { dotText, mermaidText } from '../render/graph/graph-formats.ts';
import { exactArguments } from '../required.ts';
import type { Terminal } from '../terminal.ts';

const OPTIONS = {
  mermaid: { kind: 'flag', help: 'print a Mermaid flowchart' },
  dot: { kind: 'flag', help: 'print DOT for Graphviz' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'graph',
  purpose: 'look',
  summary: 'draw the dependencies of jobs',
  usage: ['ID | NAME | group:NAME [--mermaid | --dot]'],
  options: OPTIONS,
  examples: [
    ['queuectl graph load', 'draw a job with its dependencies and dependents'],
    ['queuectl graph group:nightly', 'draw the jobs of a group'],
    ['queuectl graph group:nightly --dot | dot -Tsvg > nightly.svg', 'render a group as an SVG image'],
  ],
  notes: ['If many jobs have the same dependencies, the graph shows a few of them and the number of the others.'],
  completes: 'job or group',
  run: async (context) => {
    const [target = ''] = exactArguments(context, ['job'], 'graph');
    const { options, terminal } = context;
    const format = onlyOneOf(options, 'mermaid', 'dot');
    const graph = await (await (await context.queue()).reports()).graph(target);
    return { data: graphToJson(graph), text: textOf(format, graph, terminal) };
  },
};

function textOf(format: 'mermaid' | 'dot' | undefined, graph: Graph, terminal: Terminal): string {
  if (format === undefined) return graphText(graph, terminal);
  return format === 'dot' ? dotText(graph) : mermaidText(graph);
}
