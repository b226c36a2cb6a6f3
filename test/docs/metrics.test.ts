// docs/metrics.md lists the metrics that there are.

import { test } from 'node:test';
import { PREFIX } from '../../src/report/metrics/exposition.ts';
import { prometheusText } from '../../src/report/metrics/prometheus.ts';
import { scrapeOf } from '../../src/report/metrics/scrape.ts';
import { openQueue } from '../support/library.ts';
import { liveIn } from '../support/lived-in.ts';
import { Exposition, type ParsedFamily } from '../support/prometheus.ts';
import { checkGenerated, table } from './generated.ts';

test('docs/metrics.md says of each metric what the program says', async (t) => {
  const queue = await openQueue(t);
  await liveIn(queue);
  const { families } = new Exposition(prometheusText(await scrapeOf(queue, 'x')));
  const rows = [...families.values()].map((one) => [`\`${one.name}\``, one.type, labelsOf(one), one.help]);
  if (rows.some(([name]) => !name?.startsWith(`\`${PREFIX}`))) throw new Error('a name without its prefix');
  checkGenerated('metrics.md', 'metrics', table(['metric', 'type', 'labels', 'what it says'], rows));
});

/** `le` belongs to the type. */
const labelsOf = ({ samples }: ParsedFamily): string =>
  [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
    .filter((name) => name !== 'le')
    .map((name) => `\`${name}\``)
    .join(', ');
