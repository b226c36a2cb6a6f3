// A worker that cannot reach its server hears signals all the same, and leaves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../support/fleet.ts';
import { beating, LONG_LEASE, newHosts } from '../support/hosts.ts';
import { until } from '../support/until.ts';

test('a worker stopped by force while the server is away stops its jobs and exits', async (t) => {
  const hosts = await newHosts(t, LONG_LEASE);
  const a = await hosts.host('a');
  const worker = await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  const run = await hosts.untilRunOn(a, 'x');
  await a.way.drop();
  worker.kill('SIGTERM');
  await until('it has heard', () => worker.stderr().includes('waiting for its jobs to finish'));
  worker.kill('SIGINT');
  await worker.ended;
  assert.ok(!isAlive(run.pid));
});

test('a job stopped by its guard while its worker was suspended has not failed', async (t) => {
  const hosts = await newHosts(t);
  const a = await hosts.host('a');
  const worker = await a.worker();
  await hosts.add({ id: 'x', command: beating(), max_retries: 0 });
  const run = await hosts.untilRunOn(a, 'x');
  worker.kill('SIGSTOP');
  await until('its guard has ended the job', () => !isAlive(run.pid));
  worker.kill('SIGCONT');
  await until('it runs again', () => hosts.runs('x').length === 2);
  await hosts.cli.sh('touch end');
  const job = await hosts.untilState('x', 'completed');
  assert.equal(job.attempts, 1);
});

test('jobs without their mark stop with a killed worker, before another host runs them', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const worker = await a.worker();
  const command = `exec env -i PATH="$PATH" QUEUECTL_JOB_ID=x QUEUECTL_HOST="$QUEUECTL_HOST" sh -c '${beating()}'`;
  await hosts.add({ id: 'x', command });
  const run = await hosts.untilRunOn(a, 'x');
  await until('its pid is known', async () => (await hosts.history('x'))[0]?.pid);
  await b.worker();
  worker.kill('SIGKILL');
  await until('its guard has ended it', () => !isAlive(run.pid));
  await hosts.untilRunOn(b, 'x');
  await hosts.cli.sh('touch end');
  await hosts.untilState('x', 'completed');
});
