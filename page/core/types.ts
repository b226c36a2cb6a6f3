// Types of API responses, derived from the routes of the server.

import type { JobState } from '../../src/job/job.ts';
import type { ParameterType } from '../../src/job/isolation/recipe-parameter.ts';
import type { Operations } from '../../src/server/routes/routes.ts';

/** What an operation of the API returns. */
export type Answer<Id extends keyof Operations> = Operations[Id]['answer'];

export type { JobState };
export type Role = Session['role'];
export type Session = Answer<'getSession'>;
export type JobDetails = Answer<'getJob'>;
export type Job = Answer<'listJobs'>['jobs'][number];
export type Attempt = JobDetails['history'][number];
/** A job that is cloned. */
export type Original = Job & Partial<Pick<JobDetails, 'environment'>>;
export type Worker = Answer<'listWorkers'>['workers'][number];
export type NamedQueue = Answer<'getQueue'>;
export type Schedule = Answer<'listSchedules'>['schedules'][number];
export type Tick = Answer<'listTicks'>['ticks'][number];
export type Rerun = Answer<'rerunJobs'>;
export type RerunMode = NonNullable<Operations['rerunJobs']['body']['mode']>;
export type User = Answer<'listUsers'>['users'][number];
export type Token = Answer<'listTokens'>['tokens'][number];
export type ActivityEntry = Answer<'listActivity'>['activity'][number];
export type Setting = Answer<'listSettings'>['settings'][number];
export type Secret = Answer<'listSecrets'>['secrets'][number];
export type Group = Answer<'listGroups'>['groups'][number];
export type GroupDetails = Answer<'getGroup'>;
export type Graph = Answer<'getJobGraph'>;
export type GraphNode = Graph['nodes'][number];
export type ErrorGroup = Answer<'listErrors'>['errors'][number];
export type Stats = Answer<'getStats'>;
export type QueueStats = Stats['queues'][number];
export type StateCounts = Readonly<Record<JobState, number>>;

export type Recipe = Omit<Answer<'getRecipe'>, 'parameters'> & { readonly parameters: readonly Parameter[] };
export type Parameter = Answer<'getRecipe'>['parameters'][number] & { readonly type: ParameterType };

/** In the order in which the page shows them. */
export const STATES = [
  'pending',
  'blocked',
  'processing',
  'failed',
  'dead',
  'completed',
  'cancelled',
] as const satisfies readonly JobState[];
