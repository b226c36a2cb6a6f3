// What a worker does with a job it has claimed, up to starting it.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeSpawn } from '../../src/process/node-spawn.ts';
import { hostClockMs } from '../../src/process/host-clock.ts';
import { makePipes } from '../../src/process/pipe.ts';
import { Settings } from '../../src/settings/settings.ts';
import { Slots } from '../../src/worker/slots.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runningJob } from '../support/jobs.ts';

test('a worker that stood still between taking a job and starting it puts the job back unstarted', async (t) => {
  const folder = temporaryFolder(t);
  const trace = join(folder, 'trace');
  const ended = Promise.withResolvers<void>();
  const slots = new Slots(
    {
      workerId: 'w1',
      db: join(folder, 'queue.db'),
      place: { file: null, folder, logs: folder, run: folder, hasOtherOwner: false },
      user: null,
      environment: { PATH: process.env.PATH },
      settings: () => new Settings({}),
      now: () => Date.now(),
      notAfterMs: () => hostClockMs() - 50,
      hasRunOut: () => false,
      starter: nodeSpawn,
      adoptsOrphans: false,
      pipes: makePipes(),
      webhook: null,
      mirror: null,
      stdinOf: async () => null,
      startCheck: () => null,
      vault: { valueOf: async () => Buffer.alloc(0), folderOf: () => folder },
      passes: null,
      tracer: () => null,
    },
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
