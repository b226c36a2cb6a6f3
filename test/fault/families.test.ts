// Processes that jobs leave behind: stopped with a job that is stopped, left alone if the job exits by itself.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Fleet, isAlive, newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const CHILDREN = 1000;
const THOUSAND = `i=0; while [ $i -lt ${CHILDREN} ]; do sleep 300 & i=$((i+1)); done; echo x >> ready; wait`;
/** Forks twice and into its own session, like a daemon. */
const DAEMON = `(setsid sh -c 'echo $$ >> daemon; exec sleep 300' >/dev/null 2>&1 &); until [ -e daemon ]; do sleep 0.02; done`;

const sleepers = (fleet: Fleet): number => fleet.processes().filter((command) => command === 'sleep 300').length;

async function daemonOf(fleet: Fleet): Promise<number> {
  const [pid] = await fleet.untilLines('daemon', 1);
  return Number(pid);
}

async function cancelled(t: TestContext, command: string): Promise<Fleet> {
  const fleet = await newFleet(t, { kill_grace: 0.5 });
  await fleet.add({ id: 'a', command });
  await fleet.worker();
  await fleet.untilLines('ready', 1);
  await until('all are there', () => sleepers(fleet) === CHILDREN);
  await fleet.queue.cancel(['a']);
  await fleet.untilState('a', 'cancelled');
  return fleet;
}

test('a job with a thousand children is cancelled with all of them', async (t) => {
  const fleet = await cancelled(t, THOUSAND);
  assert.equal(sleepers(fleet), 0);
});

test('a thousand children that ignore TERM are killed after the grace period', async (t) => {
  const fleet = await cancelled(t, `trap '' TERM; ${THOUSAND}`);
  assert.equal(sleepers(fleet), 0);
  const [attempt] = await fleet.history('a');
  assert.deepEqual([attempt?.outcome, attempt?.signal], ['cancelled', 'SIGKILL']);
});

test('a job that closes its output continues until it exits', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({
    id: 'a',
    command: 'echo said; exec >&- 2>&-; echo x >> closed; until [ -e end ]; do sleep 0.02; done; exit 3',
    max_retries: 0,
  });
  await fleet.add({ id: 'b', command: 'true' });
  await fleet.worker('--concurrency', '2');
  await fleet.untilLines('closed', 1);
  await fleet.untilState('b', 'completed'); // the worker has had turns since
  assert.equal((await fleet.job('a')).state, 'processing');
  await fleet.cli.sh('touch end');
  assert.equal((await fleet.untilState('a', 'dead')).exitCode, 3);
  assert.equal(await fleet.output('a'), 'said');
});

test('an attempt ends with its first process, even if another one holds its output', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'sleep 300 & echo $! >> daemon; echo said' });
  const worker = await fleet.worker();
  await fleet.untilState('a', 'completed', 5000);
  assert.equal(await fleet.output('a'), 'said');
  const pid = await daemonOf(fleet);
  assert.ok(isAlive(pid), 'it is left alone');
  worker.kill('SIGTERM');
  assert.equal((await worker.ended).code, 0, 'the worker does not wait for it either');
  assert.ok(isAlive(pid), 'it is left alone');
  send(pid, 'SIGKILL');
});

test('a daemon started by a successful job outlives the job and its worker', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: DAEMON });
  const worker = await fleet.worker();
  const pid = await daemonOf(fleet);
  await fleet.untilState('a', 'completed');
  await fleet.add({ id: 'b', command: 'true' });
  await fleet.untilState('b', 'completed');
  worker.kill('SIGTERM');
  assert.equal((await worker.ended).code, 0);
  assert.ok(isAlive(pid));
  send(pid, 'SIGKILL');
});

test('a daemon started by a job is stopped when the job times out', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: `${DAEMON}; sleep 300`, timeout_seconds: 1, max_retries: 0 });
  await fleet.worker();
  const pid = await daemonOf(fleet);
  await fleet.untilState('a', 'dead');
  assert.deepEqual(await fleet.outcomes('a'), ['timeout']);
  assert.equal(isAlive(pid), false);
});

test('a daemon started by a job is stopped when the job is cancelled', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: `${DAEMON}; echo x >> ready; sleep 300` });
  await fleet.worker();
  await fleet.untilLines('ready', 1);
  const pid = await daemonOf(fleet);
  await fleet.queue.cancel(['a']);
  await fleet.untilState('a', 'cancelled');
  await until('the daemon is gone', () => !isAlive(pid), 1000);
});
