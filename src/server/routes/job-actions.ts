// Changes to one job: retry, cancel, hold, release, run now, edit, delete.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import type { Job } from '../../job/job.ts';
import { BY_HAND } from '../../job/waiting-change.ts';
import type { Queue } from '../../queue/queue.ts';
import type { OperationId } from '../operations.ts';
import { route } from '../route.ts';
import { jobSchema } from '../schema/job.ts';
import { jobIdPath, NO_BODY } from '../schema/parameters.ts';
import { jobFor } from '../shown.ts';

const holdReason = z.string().min(1).max(1000).optional().describe('Reason for the hold');

export const holdWith = (reason: string | undefined) => ({ kind: 'hold', reason: reason ?? BY_HAND }) as const;

type Act<Body> = (queue: Queue, id: string, body: Body) => Promise<Job[]>;

function action<Id extends OperationId, Body extends z.ZodType>(
  id: Id,
  summary: string,
  body: { readonly body: Body; readonly isBodyOptional?: boolean },
  act: Act<z.output<Body>>,
) {
  return route({
    id,
    summary,
    role: 'operator',
    parameters: jobIdPath,
    ...body,
    answers: { 200: { help: 'The updated job', schema: jobSchema } },
    handle: async ({ queue, path, body: said, principal }) => {
      const [job] = await act(queue, path.id, said as z.output<Body>);
      if (!job) throw new QueueError('job_not_found', { id: path.id });
      return { json: jobFor(principal, job) };
    },
  });
}

const editBody = z.record(z.string(), z.unknown()).describe('Job fields as in POST /jobs');

const deleteJob = route({
  id: 'deleteJob',
  summary: 'Delete a job with its history and output',
  role: 'operator',
  parameters: jobIdPath,
  answers: { 204: { help: 'Deleted' } },
  handle: async ({ queue, path }) => {
    await queue.remove([path.id]);
    return { status: 204, json: null };
  },
});

export const jobActionRoutes = [
  action('retryJob', 'Retry a job now, with attempts from 0', NO_BODY, (queue, id) => queue.retry([id])),
  action('cancelJob', 'Cancel a job; a running one is stopped', NO_BODY, (queue, id) => queue.cancel([id])),
  action(
    'holdJob',
    'Hold a waiting job until it is released',
    { body: z.strictObject({ reason: holdReason }), isBodyOptional: true },
    (queue, id, { reason }) => queue.change([id], holdWith(reason)),
  ),
  action('releaseJob', 'Release a held job, so that it can run', NO_BODY, (queue, id) =>
    queue.change([id], { kind: 'release' }),
  ),
  action('runJobNow', 'Run a waiting job now, without waiting for its time', NO_BODY, (queue, id) =>
    queue.change([id], { kind: 'run-now' }),
  ),
  action('editJob', 'Edit a waiting job; null resets a field', { body: editBody }, (queue, id, fields) =>
    queue.change([id], { kind: 'edit', edit: queue.readEdit(fields, null, 'utc') }),
  ),
  deleteJob,
];
