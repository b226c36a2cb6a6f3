// Jobs: list, count, enqueue, get.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseFilter } from '../../filter/filter.ts';
import { traceContext } from '../../job/environment/trace-context.ts';
import { attemptToJson } from '../../job/wire.ts';
import { detailsOf, detailsToJson } from '../../report/details.ts';
import { SORTS, type Sort } from '../../store/store.ts';
import { cursorOf, readCursor } from '../http/cursor.ts';
import { route } from '../route.ts';
import { attemptSchema, detailsSchema, jobCountSchema, jobPageSchema, jobSchema, newJobSchema } from '../schema/job.ts';
import { filterText, jobIdPath, positive } from '../schema/parameters.ts';
import { jobFor, shownTo } from '../shown.ts';

const MOST_AT_ONCE = 1000;
const COUNT_AT_MOST = 10_000;

const ORDERS = SORTS.flatMap((sort) => [sort, `-${sort}` as const]);

const listJobs = route({
  id: 'listJobs',
  summary: 'List jobs that match a filter, newest first',
  role: 'viewer',
  query: z.object({
    filter: filterText.optional(),
    sort: z.enum(ORDERS).default('-created').describe('Sort order; a minus sorts the largest first'),
    limit: positive.max(MOST_AT_ONCE).default(50),
    after: z.string().max(200).optional().describe('`next` of the previous page'),
  }),
  answers: { 200: { help: 'A page of jobs', schema: jobPageSchema } },
  handle: async ({ queue, query, principal }) => {
    const text = query.filter ?? '';
    const filter = parseFilter(text, queue.now());
    const scope = [queue.id, query.sort, text];
    const { jobs, next, searched } = await queue.page({
      ...filter,
      ...orderOf(query.sort),
      limit: query.limit,
      after: query.after === undefined ? null : readCursor(query.after, scope),
    });
    return {
      json: {
        jobs: jobs.map((job) => jobFor(principal, job)),
        next: next && cursorOf(next, scope),
        searched,
      },
    };
  },
});

const orderOf = (sort: string): { sort: Sort; descending: boolean } => ({
  sort: sort.replace(/^-/, '') as Sort,
  descending: sort.startsWith('-'),
});

const countJobs = route({
  id: 'countJobs',
  summary: 'Count jobs that match a filter',
  role: 'viewer',
  query: z.object({ filter: filterText.optional() }),
  answers: {
    200: {
      help: `Exact for filters by state and queue; otherwise limited to ${COUNT_AT_MOST} jobs and a short time`,
      schema: jobCountSchema,
    },
  },
  handle: async ({ queue, query }) => {
    const filter = parseFilter(query.filter ?? '', queue.now());
    const { count, isExact } = await queue.count(filter, COUNT_AT_MOST);
    return { json: { count, is_exact: isExact } };
  },
});

const KEY_HEADER = 'idempotency-key';

const hashOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

const createJobs = route({
  id: 'createJobs',
  summary: 'Enqueue one job or several; all are enqueued or none',
  role: 'enqueuer',
  headers: z.object({
    [KEY_HEADER]: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'it must be 1 to 255 characters of ASCII, without spaces')
      .optional()
      .describe(
        'Idempotency key. Repeating the request with the same key within a day enqueues nothing and returns the current state of its jobs',
      ),
    traceparent: z.string().optional().describe('W3C trace context that the jobs continue'),
    tracestate: z.string().optional(),
  }),
  isRecorded: false,
  body: z.union([newJobSchema, z.array(newJobSchema).min(1)]),
  answers: { 201: { help: 'The enqueued jobs, in order', schema: z.object({ jobs: z.array(jobSchema) }) } },
  handle: async ({ queue, arrivals, body, principal, request }) => {
    const inputs = [body].flat();
    const key = request.headers.get(KEY_HEADER);
    const trace = traceContext(request.headers.get('traceparent'), request.headers.get('tracestate'));
    const { jobs, isRepeated } =
      key === null
        ? { jobs: await arrivals.enqueue(inputs, trace, queue), isRepeated: false }
        : await queue.enqueueOnce({ principal: principal.name, key, requestHash: hashOf(body) }, inputs, trace);
    return {
      status: 201,
      json: { jobs: jobs.map((job) => jobFor(principal, job)) },
      ...(isRepeated && { headers: { 'idempotent-replayed': 'true' } }),
    };
  },
});

const getJob = route({
  id: 'getJob',
  summary: 'Get a job with all details',
  role: 'viewer',
  parameters: jobIdPath,
  answers: { 200: { help: 'The job', schema: detailsSchema } },
  handle: async ({ queue, path, principal }) => {
    const details = await detailsOf(queue, await queue.find(path.id));
    return { json: detailsToJson(details, shownTo(principal)) };
  },
});

const listAttempts = route({
  id: 'listAttempts',
  summary: 'List the attempts of a job, oldest first',
  role: 'viewer',
  parameters: jobIdPath,
  answers: { 200: { help: 'Attempts', schema: z.object({ attempts: z.array(attemptSchema) }) } },
  handle: async ({ queue, path }) => {
    const { id } = await queue.find(path.id);
    return { json: { attempts: (await queue.history(id)).map(attemptToJson) } };
  },
});

export const jobRoutes = [listJobs, countJobs, createJobs, getJob, listAttempts];
