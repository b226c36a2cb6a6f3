// What is done to one job: run again, cancelled, held, released, run now, edited, deleted.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import type { Job } from '../../job/job.ts';
import { BY_HAND } from '../../job/waiting-change.ts';
import type { Queue } from '../../queue/queue.ts';
import type { OperationId } from '../operations.ts';
import { route } from '../route.ts';
import { jobSchema } from '../schema/job.ts';
import { jobIdPath, nothing } from '../schema/parameters.ts';
import { jobFor } from '../shown.ts';

export const holdReason = z.string().min(1).max(1000).optional().meta({ description: 'Reason for the hold' });

export const holdWith = (reason: string | undefined) =>
  ({ kind: 'hold', reason: reason ?? BY_HAND }) as const;

const theJob = { 200: { means: 'The updated job', schema: jobSchema } };

type Act<Body> = (queue: Queue, id: string, body: Body) => Promise<Job[]>;

function action<Id extends OperationId, Body extends z.ZodType>(
  id: Id,
  summary: string,
  body: Body,
  act: Act<z.output<Body>>,
) {
  return route({
    id,
    tag: 'jobs',
    summary,
    role: 'operator',
    parameters: jobIdPath,
    body,
    isBodyOptional: true,
    answers: theJob,
    handle: async ({ queue, path, body: said, principal }) => {
      const [job] = await act(queue, path.id, said as z.output<Body>);
      if (!job) throw new QueueError('job_not_found', { id: path.id });
      return { json: jobFor(principal, job) };
    },
  });
}

const editJob = route({
  id: 'editJob',
  tag: 'jobs',
  summary: 'Edit a waiting job; null resets a field',
  role: 'operator',
  parameters: jobIdPath,
  body: z.record(z.string(), z.unknown()).meta({ description: 'Job fields as in POST /jobs' }),
  answers: theJob,
  handle: async ({ queue, path, body, principal }) => {
    const edit = queue.readEdit(body, null, 'utc');
    const [job] = await queue.change([path.id], { kind: 'edit', edit });
    if (!job) throw new QueueError('job_not_found', { id: path.id });
    return { json: jobFor(principal, job) };
  },
});

const deleteJob = route({
  id: 'deleteJob',
  tag: 'jobs',
  summary: 'Delete a job with its history and output',
  role: 'operator',
  parameters: jobIdPath,
  answers: { 204: { means: 'Deleted' } },
  handle: async ({ queue, path }) => {
    await queue.remove([path.id]);
    return { status: 204, json: null };
  },
});

export const jobActionRoutes = [
  action('retryJob', 'Run a job again now, attempts from 0', nothing, (queue, id) => queue.retry([id])),
  action('cancelJob', 'Cancel a job; one that runs is ended', nothing, (queue, id) => queue.cancel([id])),
  action(
    'holdJob',
    'Hold a waiting job until it is released',
    z.strictObject({ reason: holdReason }),
    (queue, id, { reason }) => queue.change([id], holdWith(reason)),
  ),
  action('releaseJob', 'Let a held job run again', nothing, (queue, id) =>
    queue.change([id], { kind: 'release' }),
  ),
  action('runJobNow', 'Have a waiting job run now', nothing, (queue, id) =>
    queue.change([id], { kind: 'run-now' }),
  ),
  editJob,
  deleteJob,
];
