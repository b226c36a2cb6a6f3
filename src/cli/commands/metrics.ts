import type { SeriesQuery } from '../../report/metrics/series.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { onlyOneOf } from '../options/checks.ts';
import { usage } from '../options/options.ts';
import { metricsText } from '../render/metrics.ts';
import { seriesText } from '../render/series.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  prometheus: { kind: 'flag', help: 'print metrics in the Prometheus text format' },
  since: {
    kind: 'age',
    value: 'AGE',
    help: 'show metrics over time since this age or time: 6h, 7d, yesterday',
  },
  step: { kind: 'seconds', value: 'DURATION', help: 'minimum time between two points' },
  queue: { kind: 'text', value: 'NAME', help: 'show only this queue (requires --since)' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'metrics',
  purpose: 'look',
  summary: 'show success rate, run times, waiting times and throughput',
  usage: ['[--prometheus]', '--since AGE [--step DURATION] [--queue NAME]'],
  options: OPTIONS,
  examples: [
    ['queuectl metrics', 'show all metrics'],
    ['queuectl metrics --json | jq .run_ms.p95', 'print one number, for scripts'],
    ['queuectl metrics --since 24h', 'show the last 24 hours with percentiles'],
    ['queuectl metrics --since 30d --json | jq .points', 'print the points of a chart as JSON'],
    ['queuectl metrics --prometheus > queuectl.prom', 'write a file for the textfile collector of the node exporter'],
  ],
  notes: [
    'metrics counts stored jobs: prune, delete and reset remove jobs and their attempts from the counts.',
    'Deleted jobs remain in the figures over time: the last hour and day, --since, and the totals of --prometheus.',
    'The history keeps minutes for 48 hours, hours for 60 days and days for five years.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'metrics');
    onlyOneOf(context.options, 'json', 'prometheus');
    checkSeriesOptions(context);
    const queue = await context.queue();
    const since = context.options.number('since');
    if (since !== undefined) return overTime(context, queue, since);
    const reports = await queue.reports();
    if (context.options.has('prometheus')) return { text: (await reports.prometheus()).trimEnd() };
    const metrics = await reports.metrics();
    if (context.terminal.json) return { data: metrics };
    const now = queue.now();
    const lately = {
      lastHour: await reports.series({ from: now - HOUR_MS, to: now, stepMs: HOUR_MS / 30 }),
      lastDay: await reports.series({ from: now - 24 * HOUR_MS, to: now, stepMs: HOUR_MS }),
    };
    return { text: metricsText({ ...metrics, ...lately, now }, context.terminal) };
  },
};

const HOUR_MS = 3_600_000;

function checkSeriesOptions({ options }: Context<typeof OPTIONS>): void {
  onlyOneOf(options, 'since', 'prometheus');
  const alone = (['step', 'queue'] as const).find((name) => options.has(name) && !options.has('since'));
  if (alone !== undefined) throw usage(`--${alone} requires --since`, command);
}

async function overTime(
  { options, terminal }: Context<typeof OPTIONS>,
  queue: AnyQueue,
  seconds: number,
): Promise<Result> {
  const now = queue.now();
  const step = options.number('step');
  const query: SeriesQuery = {
    from: now - seconds * 1000,
    to: now,
    stepMs: step === undefined ? undefined : step * 1000,
    queue: options.text('queue'),
  };
  const series = await (await queue.reports()).series(query);
  return { data: series, text: seriesText(series, terminal) };
}
