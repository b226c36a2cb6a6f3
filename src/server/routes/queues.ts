// Named queues: what is in them, their limits, and whether anything of them starts.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import type { Queue, QueueChange } from '../../queue/queue.ts';
import { queueToJson, queueView, queueViews } from '../../report/queues.ts';
import { mayActAs, type Principal } from '../role.ts';
import type { OperationId } from '../operations.ts';
import { route } from '../route.ts';
import { nothing } from '../schema/parameters.ts';
import { queueChange, queuePath, queueSchema, readRate } from '../schema/queue.ts';

const theQueue = { 200: { means: 'The updated queue', schema: queueSchema } };

const listQueues = route({
  id: 'listQueues',
  tag: 'queues',
  summary: 'List queues that have jobs or settings, by name',
  role: 'viewer',
  answers: { 200: { means: 'Queues', schema: z.object({ queues: z.array(queueSchema), next: z.null() }) } },
  handle: async ({ queue }) => ({
    json: { queues: (await queueViews(queue)).map(queueToJson), next: null },
  }),
});

const getQueue = route({
  id: 'getQueue',
  tag: 'queues',
  summary: 'Get a queue, even if it has no jobs yet',
  role: 'viewer',
  parameters: queuePath,
  answers: { 200: { means: 'The queue', schema: queueSchema } },
  handle: async ({ queue, path }) => ({ json: queueToJson(await queueView(queue, path.name)) }),
});

const limitQueue = route({
  id: 'limitQueue',
  tag: 'queues',
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

/** They are walls, as settings are: those who may take them down decide what jobs may touch, and as whom. */
function expectAdmin({ name, role }: Principal): void {
  if (!mayActAs(role, 'admin')) throw new QueueError('not_allowed', { needed: 'admin', name, role });
}

/** Without a rate there is nothing that a burst could exceed. */
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
    tag: 'queues',
    summary,
    role: 'operator',
    parameters: queuePath,
    body: nothing,
    isBodyOptional: true,
    answers: theQueue,
    handle: async ({ queue, path }) => {
      await act(queue, path.name);
      return { json: queueToJson(await queueView(queue, path.name)) };
    },
  });

const pausedSchema = z
  .object({ all_paused: z.boolean(), paused_queues: z.array(z.string()) })
  .meta({ id: 'Paused' });

const everything = <Id extends OperationId>(id: Id, summary: string, act: Act) =>
  route({
    id,
    tag: 'queues',
    summary,
    role: 'operator',
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { means: 'The paused queues', schema: pausedSchema } },
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
  action('pauseQueue', 'Start nothing new of a queue; what runs goes on', pause),
  action('resumeQueue', 'Start jobs of a queue again, and take new ones', resume),
  action('drainQueue', 'Take no new jobs into a queue', (queue, name) => queue.queues.drain(name)),
  everything('pauseAll', 'Start nothing new at all; what runs goes on', pause),
  everything('resumeAll', 'Start jobs again; queues that are paused by name stay so', resume),
];
