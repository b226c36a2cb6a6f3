// queuectl graph: draws the dependencies of jobs in the terminal, or prints them as Mermaid or DOT.

import { QueueError } from '../../errors/errors.ts';
import { type Graph, graphToJson } from '../../report/graph.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { graphText } from '../render/graph/graph.ts';
import { dotText, mermaidText } from '../render/graph/graph-formats.ts';
import { exactArguments } from '../required.ts';

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
  notes: [
    'If many jobs have the same dependencies, the graph shows a few of them and the number of the others.',
  ],
  completes: 'job or group',
  run,
};

async function run(context: Context<typeof OPTIONS>): Promise<Result> {
  const [target = ''] = exactArguments(context, ['job'], 'graph');
  const { options, terminal } = context;
  if (options.has('mermaid') && options.has('dot'))
    throw new QueueError('usage', {
      problem: '--mermaid and --dot cannot be combined',
      hint: 'use one of them',
    });
  const graph = await (await (await context.queue()).reports()).graph(target);
  return { data: graphToJson(graph), text: textOf(context, graph, terminal) };
}

function textOf({ options }: Context<typeof OPTIONS>, graph: Graph, terminal: Context['terminal']): string {
  if (options.has('mermaid')) return mermaidText(graph);
  return options.has('dot') ? dotText(graph) : graphText(graph, terminal);
}
