// Data types of the library: the JSON that `--json` prints and the HTTP API returns, derived from the operations of the API.
// The package contains the same types written out by scripts/data-types.ts.

import type { Answer } from './caller.ts';

export type * from './job-data.ts';

export type JobDetails = Answer<'getJob'>;
export type Attempt = JobDetails['history'][number];
export type Wait = JobDetails['waiting_reasons'][number];
export type JobPage = Answer<'listJobs'>;
export type JobCount = Answer<'countJobs'>;
export type Status = Answer<'getStats'>;
export type WorkerCounts = Status['workers'];
export type Worker = Answer<'listWorkers'>['workers'][number];
export type Group = Answer<'listGroups'>['groups'][number];
export type NamedQueue = Answer<'getQueue'>;
export type Schedule = Answer<'listSchedules'>['schedules'][number];
export type ScheduleDetails = Answer<'getSchedule'>;
export type Tick = ScheduleDetails['ticks'][number];
