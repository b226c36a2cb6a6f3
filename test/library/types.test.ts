// The job types of the library are those of the API's schemas, and the declarations of the package are those of its modules.
// test/job/new-field.test.ts compares the derived types with those that the package contains. Compiling this file is the test.

import { test } from 'node:test';
import type { z } from 'zod';
import type { NewJobInput } from '../../src/job/input/new-job-input.ts';
import type * as ClientDeclared from '../../src/library/client.d.ts';
import type * as client from '../../src/library/client.ts';
import type * as data from '../../src/library/data.ts';
import type * as Declared from '../../src/library/index.d.ts';
import type * as library from '../../src/library/index.ts';
import type { jobSchema } from '../../src/server/schema/job.ts';
import type { scheduleInput } from '../../src/server/schema/schedule.ts';

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
  fits<keyof library.NewSchedule, keyof z.input<typeof scheduleInput>>();
  fits<data.NewJob, NewJobInput>();
  fits<typeof library.openQueue, typeof Declared.openQueue>();
  fits<typeof client.connect, typeof ClientDeclared.connect>();
  fits<library.QueueError, Declared.QueueError>();
});
