// Named queues: their jobs, limits, and pauses.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import type { Queue, QueueChange } from '../../queue/queue.ts';
import { queueToJson, queueView, queueViews } from '../../report/queues.ts';
import { mayActAs, type Principal } from '../role.ts';
import type { OperationId } from '../operations.ts';
import { route } from '../route.ts';
import { NO_BODY } from '../schema/parameters.ts';
import { queueChange, queuePath, queueSchema, readRate } from '../schema/queue.ts';

const theQueue = { 200: { help: 'The updated queue', schema: queueSchema } };

const listQueues = route({
  id: 'listQueues',
  summary: 'List queues that have jobs or settings, by name',
  role: 'viewer',
  answers: { 200: { help: 'Queues', schema: z.object({ queues: z.array(queueSchema), next: z.null() }) } },
  handle: async ({ queue }) => ({
    json: { queues: (await queueViews(queue)).map(queueToJson), next: null },
  }),
});

const getQueue = route({
  id: 'getQueue',
  summary: 'Get a queue, even if it has no jobs yet',
  role: 'viewer',
  parameters: queuePath,
  answers: { 200: { help: 'The queue', schema: queueSchema } },
  handle: async ({ queue, path }) => ({ json: queueToJson(await queueView(queue, path.name)) }),
});

const limitQueue = route({
  id: 'limitQueue',
  summary: 'Set limits and hooks of a queue; sandbox and user of its jobs require the role admin',
  role: 'operator',
  parameters: queuePath,
  body: queueChange,
  answers: theQueue,
  handle: async ({ queue, path, body, principal }) => {
    const { hooks, limits, sandbox, user } = body;
    if (sandbox !== undefined || user !== undefined) expectAdmin(principal);
    const confinement = {
      ...(limits !== undefined && { limits }),
      ...(sandbox !== undefined && { sandbox }),
      ...(user !== undefined && { user }),
    };
    await queue.queues.set(path.name, {
      limit: changeOf(body),
      ...(hooks && { hooks }),
      ...(Object.keys(confinement).length > 0 && { confinement }),
    });
    return { json: queueToJson(await queueView(queue, path.name)) };
  },
});

/** Sandbox and user are security boundaries, like the settings that only admins may change. */
function expectAdmin({ name, role }: Principal): void {
  if (!mayActAs(role, 'admin')) throw new QueueError('not_allowed', { needed: 'admin', name, role });
}

/** Removing the rate also removes the burst, which is meaningless without one. */
const changeOf = ({ concurrency, rate, burst }: z.output<typeof queueChange>): QueueChange => ({
  ...(concurrency !== undefined && { concurrency }),
  ...(rate !== undefined && { ratePerSecond: readRate(rate) }),
  ...(burst !== undefined && { burst }),
  ...(rate === null && { burst: null }),
});

type Act = (queue: Queue, name: string) => Promise<unknown>;

const action = <Id extends OperationId>(id: Id, summary: string, act: Act) =>
  route({
    id,
    summary,
    role: 'operator',
    parameters: queuePath,
    ...NO_BODY,
    answers: theQueue,
    handle: async ({ queue, path }) => {
      await act(queue, path.name);
      return { json: queueToJson(await queueView(queue, path.name)) };
    },
  });

const pausedSchema = z.object({ all_paused: z.boolean(), paused_queues: z.array(z.string()) }).meta({ id: 'Paused' });

const everything = <Id extends OperationId>(id: Id, summary: string, act: Act) =>
  route({
    id,
    tag: 'queues',
    summary,
    role: 'operator',
    ...NO_BODY,
    answers: { 200: { help: 'The paused queues', schema: pausedSchema } },
    handle: async ({ queue }) => {
      await act(queue, EVERY_QUEUE);
      const limits = await queue.queues.limits();
      const paused = limits.filter(({ pausedAt }) => pausedAt !== null).map((limit) => limit.queue);
      return {
        json: {
          all_paused: paused.includes(EVERY_QUEUE),
          paused_queues: paused.filter((name) => name !== EVERY_QUEUE),
        },
      };
    },
  });

const pause: Act = (queue, name) => queue.queues.pause(name);
const resume: Act = (queue, name) => queue.queues.resume(name);

export const queueRoutes = [
  listQueues,
  getQueue,
  limitQueue,
  action('pauseQueue', 'Stop starting jobs of a queue; running jobs continue', pause),
  action('resumeQueue', 'Resume a queue, and accept new jobs for it', resume),
  action('drainQueue', 'Reject new jobs for a queue', (queue, name) => queue.queues.drain(name)),
  everything('pauseAll', 'Stop starting jobs of all queues; running jobs continue', pause),
  everything('resumeAll', 'Resume all queues; those paused individually stay paused', resume),
];
