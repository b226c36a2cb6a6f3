// Workers in a session without a terminal, or in another container that shares the file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processEntry } from '../../src/process/tree/proc.ts';
import { stopWorkers } from '../../src/worker/control/stop.ts';
import { isAlive, newFleet, send } from '../support/fleet.ts';
import { addWorker, openQueue } from '../support/library.ts';
import { until } from '../support/until.ts';

const IN_CONTAINER = { QUEUECTL_HOST: 'container' };
const UNTIL_END = 'echo $$ >> pids; until [ -e end ]; do sleep 0.02; done';

test('a worker in its own session without a terminal works and can be stopped', async (t) => {
  const fleet = await newFleet(t);
  const { stdout } = await fleet.cli.sh('setsid queuectl worker run <&- >worker.log 2>&1 & echo $!');
  const pid = Number(stdout);
  await until('it is registered', async () => (await fleet.queue.workers()).length === 1);
  const [worker] = await fleet.queue.workers();
  assert.deepEqual([worker?.pid, processEntry(pid)?.session], [pid, pid]);
  await fleet.add({ id: 'a', command: UNTIL_END });
  const [job = 0] = (await fleet.untilLines('pids', 1)).map(Number);
  assert.equal(processEntry(job)?.session, job, 'its jobs have sessions of their own, as always');
  send(pid, 'SIGTERM');
  await until('it has heard', () =>
    fleet.lines('worker.log').some((line) => line.includes('waiting for its jobs to finish')),
  );
  await fleet.cli.sh('touch end');
  await until('it has left', () => !isAlive(pid));
  assert.equal((await fleet.job('a')).state, 'completed');
});

test('a second SIGHUP does not interrupt a worker that finishes its job', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.worker();
  await fleet.add({ id: 'a', command: UNTIL_END });
  await fleet.untilLines('pids', 1);
  worker.kill('SIGHUP');
  await until('it has heard', () => worker.stderr().includes('waiting for its jobs to finish'));
  worker.kill('SIGHUP');
  await fleet.cli.sh('touch end');
  assert.equal((await worker.ended).code, 0);
  const { state, attempts } = await fleet.job('a');
  assert.deepEqual([state, attempts], ['completed', 1]);
});

test('worker stop reaches a worker in another container, and waits for its job', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.workerWith(IN_CONTAINER);
  await fleet.add({ id: 'a', command: UNTIL_END });
  await fleet.untilLines('pids', 1);
  const stopping = fleet.cli.start(['worker', 'stop', worker.id]);
  await until('it has heard', () => worker.stderr().includes('waiting for its jobs to finish'));
  await fleet.cli.sh('touch end');
  const { code, stdout } = await stopping.ended;
  assert.deepEqual([code, stdout], [0, `${worker.id}  stopped\n`]);
  assert.equal((await fleet.job('a')).state, 'completed');
  assert.equal((await worker.ended).code, 0);
});

test('worker stop --force makes a worker in another container stop and requeue its job', async (t) => {
  const fleet = await newFleet(t, { kill_grace: 0.2 });
  const worker = await fleet.workerWith(IN_CONTAINER);
  await fleet.add({ id: 'a', command: UNTIL_END });
  const [pid = 0] = (await fleet.untilLines('pids', 1)).map(Number);
  await fleet.cli.text('worker', 'stop', worker.id, '--force');
  assert.equal(isAlive(pid), false);
  const { state, attempts, interruptions } = await fleet.job('a');
  assert.deepEqual([state, attempts, interruptions], ['pending', 0, 0]);
  assert.equal((await worker.ended).code, 0);
});

test('worker stop does not wait for the exit of a process that is not visible', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w', { bootId: 'elsewhere' });
  const leave = async (): Promise<void> => {
    if ((await queue.store.workers())[0]?.stopRequested === 'graceful') await queue.store.condemn('w');
    await queue.store.rescue('w', (await queue.settings()).backoff);
  };
  const goOn = (): boolean => {
    void leave();
    return true;
  };
  let left: readonly unknown[] | null = null;
  void stopWorkers(queue, ['w'], 'graceful', goOn).then((workers) => {
    left = workers;
  });
  await until('it has returned, well before it would give up', () => left !== null, 1500);
  assert.deepEqual(left, []);
});

test('worker stop considers a killed worker in another container lost when its lease expires', async (t) => {
  const fleet = await newFleet(t, { lease_duration: 1.5, heartbeat_interval: 0.2, kill_grace: 0.2 });
  const worker = await fleet.workerWith(IN_CONTAINER);
  worker.kill('SIGKILL');
  await worker.ended;
  assert.equal(await fleet.cli.text('worker', 'stop', worker.id, '--force'), `${worker.id}  lost\n`);
});
