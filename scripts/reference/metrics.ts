// docs/reference/metrics.md: all metrics, from a queue in which each of them has a value.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { prometheusText } from '../../src/report/metrics/prometheus.ts';
import { scrapeOf } from '../../src/report/metrics/scrape.ts';
import { liveIn } from '../../test/support/lived-in.ts';
import { Exposition, type ParsedFamily } from '../../test/support/prometheus.ts';
import { type Block, code, table } from './block.ts';

export async function metricsBlock(): Promise<Block> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'queuectl-reference-'));
  const queue = await Queue.open({ cwd: folder, environment: { QUEUECTL_HOME: folder } });
  try {
    await liveIn(queue);
    const { families } = new Exposition(prometheusText(await scrapeOf(queue, 'x')));
    const rows = [...families.values()].map((one) => [code(one.name), one.type, labelsOf(one), one.help]);
    const text = table(['metric', 'type', 'labels', 'description'], rows);
    return { page: 'reference/metrics.md', name: 'metrics', text };
  } finally {
    await queue.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Returns the labels without `le`, which all histograms have. */
const labelsOf = ({ samples }: ParsedFamily): string =>
  [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
    .filter((name) => name !== 'le')
    .map(code)
    .join(', ');
