// State of the queue, and problems that need attention.

import { z } from 'zod';
import { attentionOf, attentionToJson } from '../../report/health/attention.ts';
import { metricsOf, metricsToJson } from '../../report/metrics/metrics.ts';
import { seriesOf, seriesToJson } from '../../report/metrics/series.ts';
import { statusOf, statusToJson } from '../../report/status.ts';
import { route } from '../route.ts';
import { positive } from '../schema/parameters.ts';
import { metricsSchema } from '../schema/metrics.ts';
import { seriesSchema } from '../schema/series.ts';
import { attentionSchema, statusSchema } from '../schema/status.ts';

export const statsRoutes = [
  route({
    id: 'getStats',
    summary: 'Count jobs by state and workers by activity',
    role: 'viewer',
    query: z.object({ queue: z.string().max(128).optional() }),
    answers: { 200: { help: 'Status as printed by `queuectl status --json`', schema: statusSchema } },
    handle: async ({ queue, query }) => ({ json: statusToJson(await statusOf(queue, query.queue)) }),
  }),
  route({
    id: 'getSeries',
    summary: 'Get throughput and times over a range, as at most 300 points',
    role: 'viewer',
    isHeavy: true,
    query: z.object({
      from: z.iso.datetime().optional().describe('Start of the range; default: an hour before the end'),
      to: z.iso.datetime().optional().describe('End of the range; default: now'),
      step: positive
        .max(366 * 86_400)
        .optional()
        .describe('Minimum length of a step in seconds'),
      queue: z.string().max(128).optional().describe('Only this queue; default: all queues together'),
    }),
    answers: { 200: { help: 'Points without gaps, latest last', schema: seriesSchema } },
    handle: async ({ queue, query }) => {
      const to = query.to === undefined ? queue.now() : Date.parse(query.to);
      const from = query.from === undefined ? to - 3_600_000 : Date.parse(query.from);
      const stepMs = query.step && query.step * 1000;
      return { json: seriesToJson(await seriesOf(queue, { from, to, stepMs, queue: query.queue })) };
    },
  }),
  route({
    id: 'getMetrics',
    summary: 'Get metrics of all attempts; scans every attempt',
    role: 'viewer',
    isHeavy: true,
    answers: { 200: { help: 'Metrics as printed by `queuectl metrics --json`', schema: metricsSchema } },
    handle: async ({ queue }) => ({ json: metricsToJson(await metricsOf(queue)) }),
  }),
  route({
    id: 'getAttention',
    summary: 'List problems with solutions, most severe first',
    role: 'viewer',
    answers: {
      200: { help: 'Problems that need attention', schema: z.object({ items: z.array(attentionSchema) }) },
    },
    handle: async ({ queue }) => ({ json: { items: (await attentionOf(queue)).map(attentionToJson) } }),
  }),
];
