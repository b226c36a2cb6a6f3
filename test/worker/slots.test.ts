// What a worker does with a job it has claimed, up to starting it.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Settings } from '../../src/settings/settings.ts';
import { Slots } from '../../src/worker/slots.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runningJob } from '../support/jobs.ts';

test('a worker that stood still between taking a job and starting it puts the job back unstarted', (t) => {
  const folder = temporaryFolder(t);
  const trace = join(folder, 'trace');
  const slots = new Slots(
    {
      workerId: 'w1',
      db: join(folder, 'queue.db'),
      environment: { PATH: process.env.PATH },
      settings: () => new Settings({}),
      now: () => Date.now(),
      isFresh: () => false,
      isWatched: false,
    },
    { log: () => {}, changed: () => {}, shortage: () => {} },
  );
  const job = runningJob({ command: `touch "${trace}"` });
  slots.start({ seq: 1, number: 1, job, logPath: join(folder, 'a.1.log') });
  const { started, ended } = slots.takeReports();
  assert.deepEqual([started.length, ended[0]?.ending.outcome], [0, 'released']);
  assert.equal(slots.count, 0);
  assert.equal(existsSync(trace), false);
});
