// The types of the library are those of the schemas of the API and of the modules. Those of jobs are derived from the table of job
// fields, all others are written by hand, so that the package needs no compiler. Compiling this file is the test.

import { test } from 'node:test';
import type { z } from 'zod';
import type { NewJobInput } from '../../src/job/input/new-job-input.ts';
import type * as ClientDeclared from '../../src/library/client.d.ts';
import type * as client from '../../src/library/client.ts';
import type * as data from '../../src/library/data.ts';
import type * as Declared from '../../src/library/index.d.ts';
import type * as library from '../../src/library/index.ts';
import type { groupSchema } from '../../src/server/schema/group.ts';
import type { attemptSchema, detailsSchema, jobSchema } from '../../src/server/schema/job.ts';
import type { queueSchema } from '../../src/server/schema/queue.ts';
import type { scheduleInput, scheduleSchema, tickSchema } from '../../src/server/schema/schedule.ts';
import type { statusSchema } from '../../src/server/schema/status.ts';
import type { workerSchema } from '../../src/server/schema/worker.ts';

/** Without readonly, which a schema does not say. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

type Same<One, Other> = [Plain<One>] extends [Plain<Other>]
  ? [Plain<Other>] extends [Plain<One>]
    ? true
    : false
  : false;

const same = <One, Other>(_: Same<One, Other>): void => {};
const fits = <One extends Other, Other>(_?: One): void => {};

test('the types of the package are those of the API and of the modules', () => {
  same<data.Job, z.output<typeof jobSchema>>(true);
  same<data.JobDetails, z.output<typeof detailsSchema>>(true);
  same<data.Attempt, z.output<typeof attemptSchema>>(true);
  same<data.Status, z.output<typeof statusSchema>>(true);
  same<data.Worker, z.output<typeof workerSchema>>(true);
  same<data.Group, z.output<typeof groupSchema>>(true);
  same<data.NamedQueue, z.output<typeof queueSchema>>(true);
  same<data.Schedule, z.output<typeof scheduleSchema>>(true);
  same<data.Tick, z.output<typeof tickSchema>>(true);
  fits<keyof data.NewSchedule, keyof z.input<typeof scheduleInput>>();
  fits<data.NewJob, NewJobInput>();
  fits<typeof library.openQueue, typeof Declared.openQueue>();
  fits<typeof client.connect, typeof ClientDeclared.connect>();
  fits<library.QueueError, Declared.QueueError>();
});
