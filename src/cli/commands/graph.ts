// queuectl graph: jobs and what they wait for, drawn in the terminal or written for another program to draw.

import { QueueError } from '../../errors/errors.ts';
import { type Graph, graphToJson } from '../../report/graph.ts';
import type { Command, Context, Result } from '../command.ts';
import { graphText } from '../render/graph/graph.ts';
import { dotText, mermaidText } from '../render/graph/graph-formats.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'graph',
  purpose: 'look',
  summary: 'draw what jobs wait for',
  usage: ['ID | NAME | group:NAME [--mermaid | --dot]'],
  options: {
    mermaid: { kind: 'flag', means: 'as a Mermaid flowchart' },
    dot: { kind: 'flag', means: 'as DOT, for Graphviz' },
  },
  examples: [
    ['queuectl graph load', 'this job and all that it is connected to'],
    ['queuectl graph group:nightly', 'the jobs of a group'],
    ['queuectl graph group:nightly --dot | dot -Tsvg > nightly.svg', 'as a picture'],
  ],
  notes: ['Where many jobs share a place, a few are drawn and the others counted.'],
  completes: 'job or group',
  run,
};

async function run(context: Context): Promise<Result> {
  const [target = ''] = exactArguments(context, ['job'], 'graph');
  const { options, terminal } = context;
  if (options.has('mermaid') && options.has('dot'))
    throw new QueueError('usage', { problem: '--mermaid and --dot at once', hint: 'keep one of them' });
  const graph = await (await (await context.queue()).reports()).graph(target);
  return { data: graphToJson(graph), text: textOf(context, graph, terminal) };
}

function textOf({ options }: Context, graph: Graph, terminal: Context['terminal']): string {
  if (options.has('mermaid')) return mermaidText(graph);
  return options.has('dot') ? dotText(graph) : graphText(graph, terminal);
}
