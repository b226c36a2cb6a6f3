// queuectl metrics: what the queue has done, in numbers, for people, scripts and Prometheus.

import { metricsOf, metricsToJson } from '../../report/metrics.ts';
import { prometheusText } from '../../report/prometheus.ts';
import type { Command, Context, Result } from '../command.ts';
import { usage } from '../options.ts';
import { metricsText } from '../render/metrics.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'metrics',
  purpose: 'look',
  summary: 'show success rate, run and waiting times, throughput',
  usage: ['[--prometheus]'],
  options: {
    prometheus: { kind: 'flag', means: "in Prometheus' text format" },
  },
  examples: [
    ['queuectl metrics', 'for people'],
    ['queuectl metrics --json | jq .run_ms.p95', 'a number for a script'],
    ['queuectl metrics --prometheus > queuectl.prom', "for the node exporter's textfile collector"],
  ],
  notes: [
    'Counts what is still on record: prune, delete and reset take removed jobs and their attempts off.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  theseArguments(context, [], 'metrics');
  const isForPrometheus = context.options.has('prometheus');
  if (isForPrometheus && context.options.has('json')) throw usage('--json and --prometheus at once', command);
  const metrics = await metricsOf(await context.queue());
  if (isForPrometheus) return { text: prometheusText(metrics) };
  return { data: metricsToJson(metrics), text: metricsText(metrics, context.terminal) };
}
