// Next and past runs of schedules, and a preview for a schedule that is not stored yet.

import { z } from 'zod';
import { isoTime } from '../../job/wire.ts';
import { tickToJson, viewOf } from '../../report/schedule.ts';
import { TICKS_KEPT } from '../../schedule/schedule-limits.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { namePath, positive } from '../schema/parameters.ts';
import { specInputOf, tickSchema, timingInput } from '../schema/schedule.ts';

const NEXT_SHOWN = 5;
const MOST_NEXT = 1000;

const listTimes = route({
  id: 'listNextTimes',
  summary: 'List the next runs of a schedule, without jitter',
  role: 'viewer',
  parameters: namePath,
  query: z.object({ count: positive.max(MOST_NEXT).default(NEXT_SHOWN) }),
  answers: { 200: { help: 'Next runs', schema: z.object({ next: z.array(time) }) } },
  handle: async ({ queue, path, query }) => {
    const schedule = await (await queue.schedules()).get(path.name);
    const { next } = await viewOf(schedule, queue.now(), query.count);
    return { json: { next: next.map(isoTime) } };
  },
});

const listTicks = route({
  id: 'listTicks',
  summary: 'List past runs of a schedule, newest first',
  role: 'viewer',
  parameters: namePath,
  query: z.object({ limit: positive.max(TICKS_KEPT).default(100) }),
  answers: {
    200: { help: 'Runs', schema: z.object({ ticks: z.array(tickSchema), next: z.null() }) },
  },
  handle: async ({ queue, path, query }) => {
    const schedules = await queue.schedules();
    await schedules.get(path.name);
    const ticks = await schedules.ticks(path.name, query.limit);
    return { json: { ticks: ticks.map(tickToJson), next: null } };
  },
});

const previewSchedule = route({
  id: 'previewSchedule',
  summary: 'Preview the runs of a schedule without storing it',
  role: 'viewer',
  changes: false,
  body: timingInput,
  answers: {
    200: {
      help: 'The next runs',
      schema: z
        .object({ words: z.string(), time_zone: z.string(), next: z.array(time) })
        .meta({ id: 'SchedulePreview' }),
    },
  },
  handle: async ({ queue, body }) => {
    const input = { ...specInputOf(body), name: 'preview', job: { command: 'true' } };
    const [schedule] = await (await queue.schedules()).preview([input]);
    if (!schedule) throw new Error('a preview of one schedule returns one schedule');
    const { words, next } = await viewOf(schedule, queue.now(), NEXT_SHOWN);
    return { json: { words, time_zone: schedule.spec.timing.zone, next: next.map(isoTime) } };
  },
});

export const scheduleTimeRoutes = [previewSchedule, listTimes, listTicks];
