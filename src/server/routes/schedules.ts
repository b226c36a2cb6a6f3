// Schedules: read, add, edit, pause, run now.

import { z } from 'zod';
import type { Queue } from '../../queue/queue.ts';
import { scheduleToJson, tickToJson, viewOf } from '../../report/schedule.ts';
import type { JobTemplate } from '../../schedule/job-template.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { intakeOf } from '../intake.ts';
import type { Principal } from '../role.ts';
import type { OperationId } from '../operations.ts';
import { route } from '../route.ts';
import { jobSchema } from '../schema/job.ts';
import { namePath, NO_BODY } from '../schema/parameters.ts';
import { scheduleDetailsSchema, scheduleEdit, scheduleInput, scheduleSchema, specInputOf } from '../schema/schedule.ts';
import { jobFor, shownTo } from '../shown.ts';
import { scheduleTimeRoutes } from './schedule-times.ts';

const NEXT_SHOWN = 5;
const TICKS_SHOWN = 10;

const theSchedule = { 200: { help: 'The updated schedule', schema: scheduleSchema } };

async function shown(queue: Queue, schedule: Schedule, principal: Principal) {
  return scheduleToJson(await viewOf(schedule, queue.now(), NEXT_SHOWN), shownTo(principal));
}

/** Checks the job as if it were enqueued now. */
async function templateOf(queue: Queue, job: Readonly<Record<string, unknown>>): Promise<JobTemplate> {
  const { read, template } = await intakeOf(queue);
  read(job);
  return template(job);
}

const listSchedules = route({
  id: 'listSchedules',
  summary: 'List schedules by name with their next runs',
  role: 'viewer',
  answers: {
    200: { help: 'Schedules', schema: z.object({ schedules: z.array(scheduleSchema), next: z.null() }) },
  },
  handle: async ({ queue, principal }) => {
    const all = await (await queue.schedules()).all();
    const schedules = await Promise.all(all.map((schedule) => shown(queue, schedule, principal)));
    return { json: { schedules, next: null } };
  },
});

const addSchedule = route({
  id: 'addSchedule',
  summary: 'Add a schedule: a cron expression, an interval, or a single run',
  role: 'operator',
  body: scheduleInput,
  answers: { 201: { help: 'The schedule', schema: scheduleSchema } },
  handle: async ({ queue, body, principal }) => {
    const schedules = await queue.schedules();
    const job = await templateOf(queue, body.job);
    const { environment } = await intakeOf(queue);
    const [added] = await schedules.add([{ ...specInputOf(body), name: body.name, job }], environment);
    return { status: 201, json: added && (await shown(queue, added, principal)) };
  },
});

const getSchedule = route({
  id: 'getSchedule',
  summary: 'Get a schedule with its next and last runs',
  role: 'viewer',
  parameters: namePath,
  answers: { 200: { help: 'The schedule', schema: scheduleDetailsSchema } },
  handle: async ({ queue, path, principal }) => {
    const schedules = await queue.schedules();
    const schedule = await schedules.get(path.name);
    const ticks = await schedules.ticks(path.name, TICKS_SHOWN);
    return { json: { ...(await shown(queue, schedule, principal)), ticks: ticks.map(tickToJson) } };
  },
});

const editSchedule = route({
  id: 'editSchedule',
  summary: 'Change the timing or the job of a schedule; absent fields stay unchanged',
  role: 'operator',
  parameters: namePath,
  body: scheduleEdit,
  answers: theSchedule,
  handle: async ({ queue, path, body, principal }) => {
    const schedules = await queue.schedules();
    await schedules.get(path.name);
    const job = body.job && (await templateOf(queue, body.job));
    const edited = await schedules.edit(path.name, specInputOf(body), job, undefined);
    return { json: await shown(queue, edited, principal) };
  },
});

const removeSchedule = route({
  id: 'removeSchedule',
  summary: 'Delete a schedule; its jobs stay',
  role: 'operator',
  parameters: namePath,
  answers: { 204: { help: 'Deleted' } },
  handle: async ({ queue, path }) => {
    await (await queue.schedules()).remove([path.name]);
    return { status: 204, json: null };
  },
});

const change = <Id extends OperationId>(verb: 'pause' | 'resume', id: Id, summary: string) =>
  route({
    id,
    summary,
    role: 'operator',
    parameters: namePath,
    ...NO_BODY,
    answers: theSchedule,
    handle: async ({ queue, path, principal }) => {
      const schedules = await queue.schedules();
      await schedules[verb]([path.name]);
      return { json: await shown(queue, await schedules.get(path.name), principal) };
    },
  });

const runSchedule = route({
  id: 'runSchedule',
  summary: 'Enqueue a job of a schedule now',
  role: 'operator',
  parameters: namePath,
  ...NO_BODY,
  answers: {
    200: { help: 'The unique job already exists', schema: jobSchema },
    201: { help: 'The job', schema: jobSchema },
  },
  handle: async ({ queue, path, principal }) => {
    const { job, isNew } = await (await queue.schedules()).run(path.name);
    return { status: isNew ? 201 : 200, json: jobFor(principal, job) };
  },
});

export const scheduleRoutes = [
  listSchedules,
  addSchedule,
  getSchedule,
  editSchedule,
  removeSchedule,
  change('pause', 'pauseSchedule', 'Pause a schedule until it is resumed'),
  change('resume', 'resumeSchedule', 'Resume a schedule without catching up on runs missed while paused'),
  runSchedule,
  ...scheduleTimeRoutes,
];
