// A claimed job up to its start.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostClockMs } from '../../src/process/tree/host-clock.ts';
import { Slots } from '../../src/worker/slots.ts';
import { attemptContext } from '../support/attempt-context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runningJob } from '../support/jobs.ts';

test('a worker that stalls between claim and start requeues the job', async (t) => {
  const folder = temporaryFolder(t);
  const trace = join(folder, 'trace');
  const ended = Promise.withResolvers<void>();
  const slots = new Slots(
    { ...attemptContext(folder), notAfterMs: () => hostClockMs() - 50 },
    {
      log: () => {},
      changed: ended.resolve,
      shortage: () => {},
      begins: () => {},
      started: () => {},
      ended: () => {},
    },
  );
  const job = runningJob({ command: `touch "${trace}"` });
  slots.start({
    seq: 1,
    run: 1,
    job,
    weight: 1,
    waitedMs: 0,
    environment: null,
    logPath: join(folder, 'a.1.log'),
  });
  await ended.promise;
  const reports = slots.takeReports();
  assert.deepEqual([reports.started.length, reports.ended[0]?.ending.outcome], [0, 'released']);
  assert.equal(slots.count, 0);
  assert.equal(existsSync(trace), false);
});
