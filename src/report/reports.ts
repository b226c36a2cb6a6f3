// Reports about a queue with a local store. Reports that few commands need are loaded on demand.

import type { Reports } from '../queue/interface.ts';
import type { Queue } from '../queue/queue.ts';
import { version } from '../system/version.ts';
import { detailsOf } from './details.ts';
import { jobPages } from './job-pages.ts';
import { statusOf } from './status.ts';

export const reportsOf = (queue: Queue): Reports => ({
  status: (name) => statusOf(queue, name),
  details: (job) => detailsOf(queue, job),
  pages: (query) => jobPages(queue, query),
  graph: async (target) => (await import('./graph.ts')).graphOf(queue, target),
  queues: async () => (await import('./queues.ts')).queueViews(queue),
  queue: async (name) => (await import('./queues.ts')).queueView(queue, name),
  metrics: async () => {
    const { metricsOf, metricsToJson } = await import('./metrics/metrics.ts');
    return metricsToJson(await metricsOf(queue));
  },
  series: async (query) => {
    const { seriesOf, seriesToJson } = await import('./metrics/series.ts');
    return seriesToJson(await seriesOf(queue, query));
  },
  prometheus: async () => {
    const { prometheusText } = await import('./metrics/prometheus.ts');
    const { scrapeOf } = await import('./metrics/scrape.ts');
    return prometheusText(await scrapeOf(queue, version));
  },
});
