// Files of a killed worker's attempts are removed by the rescue: secrets, and separate directories of sandboxed jobs
// and jobs of other users.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';
import type { NewJobInput } from '../../src/job/input/new-job-input.ts';
import { folderOfAttempt } from '../../src/maintenance/sweep-leftovers.ts';
import { separateFiles } from '../../src/process/output/attempt-files.ts';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const STAYING = 'test -s "$KEY_FILE" && echo ready; sleep 600';
/** In the directory shared with its worker, which should contain only files. */
const NESTING = `cd "$(dirname "$QUEUECTL_RESULT")" && mkdir A M z && ${STAYING}`;

test('files of an attempt are removed after its worker was killed', async (t) => {
  const fleet = await newFleet(t);
  await (await fleet.queue.secrets()).set('KEY', Buffer.from('a-secret-value'), 'test');
  fs.mkdirSync(fleet.path('work'));
  const job = { cwd: fleet.path('work'), secrets: ['KEY:file'], max_retries: 0 };
  const boxed = { id: 'boxed', command: NESTING, ...job, sandbox: 'strict' };
  const other = { id: 'other', command: STAYING, ...job, cwd: '/', user: 'nobody' };
  const jobs: NewJobInput[] = [
    { id: 'plain', command: STAYING, ...job },
    ...((await whyNoSandbox()) === null ? [boxed] : []),
    ...(process.getuid?.() === 0 ? [other, { ...other, id: 'nesting', command: NESTING }] : []),
  ];
  for (const one of jobs) await fleet.add(one);
  const worker = await fleet.worker('--concurrency', '4');
  for (const { id } of jobs)
    await until(`${id} is ready`, async () => (await fleet.output(String(id)).catch(() => '')).includes('ready'));
  const running = await fleet.queue.store.runningOn(worker.id);
  const folders = running.map((lease) =>
    lease.jobId === 'plain'
      ? folderOfAttempt(fleet.queue.place.run, worker.id, lease)
      : dirname(separateFiles(String(lease.logPath), lease.jobId !== 'boxed')),
  );
  for (const folder of folders) assert.ok(fs.existsSync(`${folder}/KEY`), folder);
  worker.kill('SIGKILL');
  await worker.ended;
  await fleet.queue.cancel(jobs.map(({ id }) => String(id)));
  await fleet.worker();
  for (const folder of folders)
    await until(`the secret in ${folder} is deleted`, () => !fs.existsSync(`${folder}/KEY`), 30_000);
  for (const { id } of jobs) await fleet.untilState(String(id), 'cancelled');
  const left = (): string[] => running.filter((_, i) => fs.existsSync(folders[i] ?? '')).map(({ jobId }) => jobId);
  const nested = jobs.flatMap(({ id }) => (id === 'nesting' ? [id] : [])); // directories are not entered as root
  await until('the folders are removed', () => left().join() === nested.join());
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});
