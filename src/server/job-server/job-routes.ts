// The API routes that a job may use through its worker's socket. An isolated job, in a sandbox or as another user, only
// sees itself, its dependencies, the jobs it has enqueued, and the jobs of its group.

import { QueueError } from '../../errors/errors.ts';
import { childOf, notForJobs } from '../../job/flow/child-job.ts';
import type { Dependency } from '../../job/flow/dependencies.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { traceContext, withTrace } from '../../job/environment/trace-context.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Holder } from '../../worker/job-socket/job-socket.ts';
import { intakeOf } from '../intake.ts';
import type { JobPrincipal } from './job-gate.ts';
import type { Answer, RouteRequest, Route } from '../route.ts';
import { ROUTES } from '../routes/routes.ts';
import { jobFor } from '../shown.ts';

type AnyRequest = RouteRequest<never, never, never>;
type Handle = (asked: AnyRequest, whole: Route) => Promise<Answer>;

/** Routes about one job. */
const OF_A_JOB = [
  'getJob',
  'listAttempts',
  'explainJob',
  'getJobGraph',
  'getOutput',
  'getOutputStamps',
  'followOutput',
];
/** Routes for jobs that are not isolated. */
const OF_THE_QUEUE = ['listJobs', 'countJobs', 'getStats', 'listGroups', 'listQueues', 'getQueue', 'listWorkers'];
/** Routes whose responses would reveal other jobs to an isolated one. */
const NOT_ISOLATED = ['explainJob', 'getJobGraph'];

/** Maximum number of enqueued jobs remembered per attempt. */
const MOST_MADE = 10_000;

const holderOf = ({ principal }: Pick<AnyRequest, 'principal'>): Holder => (principal as JobPrincipal).holder;

const HANDLES: Readonly<Record<string, Handle>> = {
  getSession: (asked, whole) => whole.handle(asked),
  createJobs: (asked, whole) => enqueue(asked as unknown as RouteRequest<undefined, undefined, unknown>, whole),
  followEvents: (asked, whole) => ofTopics(asked, whole),
  getGroup: (asked, whole) => ofGroup(asked, whole),
  getGroupGraph: (asked, whole) => ofGroup(asked, whole),
  ...Object.fromEntries(OF_A_JOB.map((id): [string, Handle] => [id, ofJob])),
  ...Object.fromEntries(OF_THE_QUEUE.map((id): [string, Handle] => [id, ofQueue])),
};

/** Returns all routes; those that jobs may not use throw an error. */
export const jobRoutes = (): Route[] =>
  ROUTES.map((whole) => {
    const handle = HANDLES[whole.id] ?? rejected;
    return { ...whole, isOpen: false, handle: (asked: AnyRequest) => handle(asked, whole) };
  });

const rejected: Handle = async (asked) => {
  throw notForJobs(holderOf(asked), 'jobs may only enqueue and read jobs');
};

async function ofQueue(asked: AnyRequest, whole: Route): Promise<Answer> {
  const holder = holderOf(asked);
  if (!holder.isIsolated) return whole.handle(asked);
  if (whole.id === 'listWorkers') return ownWorker(await whole.handle(asked), holder);
  throw notForJobs(holder, 'in a sandbox or as another user, it only sees its own jobs');
}

/** Shows only the job's own worker, so that clients see that its queue is served. */
function ownWorker(answer: Answer, { id, workerId }: Holder): Answer {
  const { workers } = (answer as { json: { workers: { id: string }[] } }).json;
  const own = workers.filter((worker) => worker.id === workerId);
  return { json: { workers: own.map((worker) => ({ ...worker, running: [id], notice: null })), next: null } };
}

async function ofGroup(asked: AnyRequest, whole: Route): Promise<Answer> {
  const holder = holderOf(asked);
  const { name } = asked.path as { name: string };
  if (holder.isIsolated && name !== holder.group) throw notForJobs(holder, 'it only sees its own group');
  return whole.handle(asked);
}

/** Allows topics of jobs that the job may see. */
async function ofTopics(asked: AnyRequest, whole: Route): Promise<Answer> {
  const holder = holderOf(asked);
  if (!holder.isIsolated) return whole.handle(asked);
  for (const topic of (asked.query as { topics: string }).topics.split(',')) {
    const [, id] = /^(?:job|output):([^@]+)/.exec(topic) ?? [];
    if (id === undefined) throw notForJobs(holder, 'it only receives events of its own jobs');
    await jobSeenBy(holder, asked.queue, id);
  }
  return whole.handle(asked);
}

/** Names refer to dependencies and jobs of its group first. */
async function ofJob(asked: AnyRequest, whole: Route): Promise<Answer> {
  const holder = holderOf(asked);
  const { id } = asked.path as { id: string };
  if (holder.isIsolated && NOT_ISOLATED.includes(whole.id)) throw notForJobs(holder, 'it only sees its own jobs');
  const job = await jobSeenBy(holder, asked.queue, id);
  const answer = await whole.handle({ ...asked, path: { id: job.id } } as unknown as AnyRequest);
  return holder.isIsolated && whole.id === 'getJob' ? withoutWaits(answer) : answer;
}

/** The reasons may mention other jobs. */
function withoutWaits(answer: Answer): Answer {
  const { json, ...rest } = answer as { json: object };
  return { ...rest, json: { ...json, waiting_reasons: [] } };
}

/** Throws job_not_found if the job may not see it, whether it exists or not. */
async function jobSeenBy(holder: Holder, queue: Queue, called: string): Promise<Job> {
  if (!holder.isIsolated) return queue.findCalled(called, holder.id);
  const found = await queue.findCalled(called, holder.id).catch(ifUnknown);
  if (found && (await isSeen(holder, queue, found))) return found;
  throw new QueueError('job_not_found', { id: called });
}

function ifUnknown(error: unknown): null {
  if (error instanceof QueueError && ['job_not_found', 'ambiguous_id'].includes(error.code)) return null;
  throw error;
}

async function isSeen(holder: Holder, queue: Queue, { id, group }: Job): Promise<boolean> {
  if (id === holder.id || holder.made.has(id)) return true;
  if (group !== null && group === holder.group) return true;
  const own = await queue.get(holder.id);
  return own?.dependsOn.some(({ kind, on }) => kind === 'job' && on === id) ?? false;
}

/** Ignores the Idempotency-Key of an isolated job; repeated jobs are recognized by their IDs. */
async function enqueue(asked: RouteRequest<undefined, undefined, unknown>, whole: Route): Promise<Answer> {
  const { queue, body, principal, request } = asked;
  const holder = holderOf(asked);
  const intake = await intakeOf(queue);
  const trace = traceContext(request.headers.get('traceparent'), request.headers.get('tracestate'));
  const own = holder.isIsolated ? await queue.get(holder.id) : null;
  const jobs = [body].flat().map((input) => withTrace(childOf(holder, intake.read(input), own), trace));
  if (!holder.isIsolated) return whole.handle(asked as unknown as AnyRequest);
  const stored = await intake.enqueue(await withOwnParents(holder, queue, jobs));
  remember(holder, stored);
  return { status: 201, json: { jobs: stored.map((job) => jobFor(principal, job)) } };
}

/** Jobs can read their dependencies, so an isolated job may only name dependencies that it may see. */
async function withOwnParents(holder: Holder, queue: Queue, jobs: readonly NewJob[]): Promise<NewJob[]> {
  const together = new Set(jobs.flatMap(({ id, name }) => (name === null ? [id] : [id, name])));
  const seen = async (dependency: Dependency): Promise<Dependency> => {
    const { kind, on } = dependency;
    if (kind === 'group' && on !== holder.group) throw notForJobs(holder, 'it only sees its own group');
    if (kind === 'group' || together.has(on)) return dependency;
    return { ...dependency, on: (await jobSeenBy(holder, queue, on)).id };
  };
  return Promise.all(jobs.map(async (job) => ({ ...job, dependsOn: await Promise.all(job.dependsOn.map(seen)) })));
}

function remember({ made }: Holder, jobs: readonly Job[]): void {
  for (const { id } of jobs) made.add(id);
  for (const id of made) {
    if (made.size <= MOST_MADE) return;
    made.delete(id);
  }
}
