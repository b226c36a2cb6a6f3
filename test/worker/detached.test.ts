// Background workers: registered, with heartbeats and a log, and independent of their parent.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { QUEUECTL } from '../cli/support.ts';
import { isAlive, newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';

test('a worker is registered when worker start returns, with ID, PID, host and queues', async (t) => {
  const fleet = await newFleet(t);
  const [worker] = await fleet.start('--queue', 'mail', '--queue', 'images', '--concurrency', '2');
  const [record, ...others] = await fleet.queue.workers();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [record?.id, record?.pid, record?.host, record?.queues, record?.concurrency, record?.state, record?.running],
    [worker?.id, worker?.pid, hostname(), ['mail', 'images'], 2, 'idle', []],
  );
  assert.ok(isAlive(worker?.pid ?? 0));
});

test('a worker sends heartbeats and shows its jobs', async (t) => {
  const fleet = await newFleet(t, { heartbeat_interval: 0.2 });
  const worker = await fleet.worker('--concurrency', '2');
  const beats = new Set<number>();
  await until('five heartbeats', async () => {
    beats.add((await fleet.workerOf(worker.id))?.lastHeartbeat ?? 0);
    return beats.size >= 5;
  });
  const times = [...beats];
  const averageGap = (Number(times.at(-1)) - Number(times[0])) / (times.length - 1); // a late heartbeat shortens one gap
  assert.ok(averageGap >= 150, `not more often than asked for: ${times}`);

  await fleet.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.02; done' });
  await fleet.untilState('a', 'processing');
  assert.deepEqual(
    [(await fleet.workerOf(worker.id))?.state, (await fleet.workerOf(worker.id))?.running],
    ['busy', ['a']],
  );
  await fleet.cli.sh('touch end');
  await until('it is idle', async () => (await fleet.workerOf(worker.id))?.state === 'idle');
});

test('a running worker applies a changed heartbeat interval', async (t) => {
  const fleet = await newFleet(t, { heartbeat_interval: 3600, lease_duration: 86_400 });
  const worker = await fleet.worker();
  const before = (await fleet.workerOf(worker.id))?.lastHeartbeat;
  await fleet.cli.text('config', 'set', 'heartbeat_interval', '0.1');
  await until('a heartbeat', async () => (await fleet.workerOf(worker.id))?.lastHeartbeat !== before);
});

test('a background worker keeps a log and a PID file that only their owner can read', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'true' });
  const [worker] = await fleet.start();
  await fleet.untilState('a', 'completed');
  const { run } = fleet.queue.place;
  const [log, pidFile] = [path.join(run, `${worker?.id}.log`), path.join(run, `${worker?.id}.pid`)];
  assert.equal(fs.readFileSync(pidFile, 'utf8'), `${worker?.pid}\n`);
  await until('the log tells', () => /completed +a /.test(fs.readFileSync(log, 'utf8')));
  assert.match(fs.readFileSync(log, 'utf8'), /^\S+Z {2}\S+ {2}ready: pid \d+/);
  for (const file of [log, pidFile]) assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  await fleet.cli.text('worker', 'stop');
  assert.equal(fs.existsSync(pidFile), false, 'the pid file goes with it');
  assert.match(fs.readFileSync(log, 'utf8'), /left\n$/);
});

test('a background worker outlives its parent, in its own session', async (t) => {
  const fleet = await newFleet(t);
  const { stdout } = await fleet.cli.sh(`'${QUEUECTL}' worker start --json`);
  const [{ pid }] = JSON.parse(stdout);
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , group, session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  assert.deepEqual([Number(group), Number(session), Number(terminal)], [pid, pid, 0]);
  assert.equal(
    fs.readlinkSync(`/proc/${pid}/cwd`),
    fs.realpathSync(fleet.cli.home),
    'it holds no folder of the caller',
  );
  await fleet.add({ id: 'a', command: 'true' });
  await fleet.untilState('a', 'completed');
});

test('SIGHUP does not stop a background worker', async (t) => {
  const fleet = await newFleet(t);
  const [worker] = await fleet.start();
  send(worker?.pid ?? 0, 'SIGHUP');
  await fleet.add({ id: 'a', command: 'true' });
  await fleet.untilState('a', 'completed');
  assert.ok(isAlive(worker?.pid ?? 0));
});

test('SIGHUP stops a foreground worker after its job', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.worker();
  worker.kill('SIGHUP');
  assert.equal((await worker.ended).code, 0);
});

test('a worker started by a job outlives the job', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  await fleet.add({ id: 'a', command: `'${QUEUECTL}' worker start; sleep 60` });
  const first = await fleet.worker();
  await until('there are two', async () => (await fleet.queue.workers()).length === 2);
  await fleet.cli.text('cancel', 'a');
  first.kill('SIGTERM');
  await first.ended;
  const [second, ...others] = await fleet.queue.workers();
  assert.deepEqual([others.length, isAlive(second?.pid ?? 0)], [0, true]);
  await fleet.add({ id: 'b', command: 'echo $QUEUECTL_JOB_ID' });
  await fleet.untilState('b', 'completed');
  assert.equal((await fleet.history('b'))[0]?.workerId, second?.id);
});

test('--foreground with --count runs several workers in one process, and one signal stops them all', async (t) => {
  const fleet = await newFleet(t);
  const started = fleet.cli.start(['worker', 'start', '--foreground', '--count', '2']);
  await until('both are registered', async () => (await fleet.queue.workers()).length === 2);
  const meet = 'echo x >> here; until [ $(wc -l < here) -ge 2 ]; do sleep 0.01; done';
  await fleet.add({ id: 'a', command: meet }, { id: 'b', command: meet });
  await fleet.untilState('a', 'completed');
  await fleet.untilState('b', 'completed');
  started.kill('SIGTERM');
  assert.equal((await started.ended).code, 0);
  assert.deepEqual(await fleet.queue.workers(), []);
});
