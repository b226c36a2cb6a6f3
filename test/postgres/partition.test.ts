// A host that is cut off from the server and does not know it: its packets are swallowed, or arrive too late.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../support/fleet.ts';
import { beating, expectNoOverlap, LONG_LEASE, newHosts, SHORT_LEASE } from '../support/hosts.ts';
import { until } from '../support/until.ts';

const LEASE_MS = SHORT_LEASE.lease_duration * 1000;

for (const [manner, what] of [
  ['drop', 'are swallowed'],
  ['stall', 'are held back and arrive late'],
] as const) {
  test(`a host whose packets ${what} stops its job before its lease expires; another host runs it; the first continues`, async (t) => {
    const hosts = await newHosts(t);
    const [a, b] = [await hosts.host('a'), await hosts.host('b')];
    const cutOff = await a.worker();
    await hosts.add({ id: 'x', command: beating() });
    const first = await hosts.untilRunOn(a, 'x');
    await b.worker();

    await a.way[manner]();
    const cutAt = Date.now();
    await until('it has ended its job', () => !isAlive(first.pid));
    const tookMs = Date.now() - cutAt;
    assert.ok(tookMs < LEASE_MS, `after ${tookMs} ms`);
    assert.deepEqual(await hosts.outcomes('x'), [null], 'nobody has taken it yet');
    await hosts.untilRunOn(b, 'x');
    const lost = await hosts.attempt('x', 1);
    assert.equal(lost.outcome, 'worker_lost');

    await a.way.pass();
    await until('it is back', async () => (await hosts.workerOf(cutOff.id)) !== undefined, 40_000);
    assert.deepEqual(await hosts.attempt('x', 1), lost, 'it has reported nothing about what it lost');
    await hosts.add({ id: 'y', command: beating() });
    await hosts.untilRunOn(a, 'y');
    await hosts.cli.sh('touch end');
    for (const id of ['x', 'y']) await hosts.untilState(id, 'completed');
    expectNoOverlap(hosts.runs('x'));
    assert.deepEqual(
      hosts.runs('x').map(({ host }) => host),
      ['a', 'b'],
    );
    assert.deepEqual(await hosts.outcomes('x'), ['worker_lost', 'completed']);
    assert.deepEqual(await hosts.queue.store.check(), []);
  });
}

test('a job that finished on a host cut off past its lease is not reported, and runs again elsewhere', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const cutOff = await a.worker();
  await hosts.add({ id: 'x', command: beating('$QUEUECTL_HOST-end') });
  const run = await hosts.untilRunOn(a, 'x');
  await b.worker();
  await a.way.drop();
  await hosts.cli.sh('touch a-end');
  await until('it has ended', () => !isAlive(run.pid));
  await hosts.untilRunOn(b, 'x');
  await a.way.pass();
  await until('it is back', async () => (await hosts.workerOf(cutOff.id)) !== undefined, 40_000);
  assert.equal((await hosts.job('x')).state, 'processing');
  await hosts.cli.sh('touch b-end');
  await hosts.untilState('x', 'completed');
  expectNoOverlap(hosts.runs('x'));
  assert.deepEqual(await hosts.outcomes('x'), ['worker_lost', 'completed']);
});

test('a host cut off for less than its lease keeps its job and reports its outcome', async (t) => {
  const hosts = await newHosts(t, LONG_LEASE);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const cutOff = await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  const run = await hosts.untilRunOn(a, 'x');
  const other = await b.worker();
  await a.way.stall();
  const before = (await hosts.workerOf(other.id))?.lastHeartbeat ?? 0;
  await until('time passes', async () => ((await hosts.workerOf(other.id))?.lastHeartbeat ?? 0) > before + 3000);
  assert.ok(isAlive(run.pid));
  await hosts.cli.sh('touch end');
  await until('it has ended', () => !isAlive(run.pid));
  await a.way.pass();
  await hosts.untilState('x', 'completed', 40_000);
  assert.deepEqual(await hosts.outcomes('x'), ['completed']);
  assert.equal((await hosts.attempt('x', 1)).workerId, cutOff.id);
});

test('a job cancelled while its host was cut off does not run anywhere again', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  const run = await hosts.untilRunOn(a, 'x');
  await b.worker();
  await a.way.drop();
  await hosts.queue.cancel(['x']);
  await hosts.untilState('x', 'cancelled');
  assert.ok(!isAlive(run.pid));
  assert.equal(hosts.runs('x').length, 1);
});

test('a worker asked to stop while cut off leaves the job that it had to stop to others', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const leaving = await a.worker();
  await hosts.add({ id: 'x', command: `trap "" TERM; ${beating()}` });
  await hosts.untilRunOn(a, 'x');
  leaving.kill('SIGTERM');
  await a.way.stall();
  await until('it ends its job', () => leaving.stderr().includes('lease is about to expire'));
  await a.way.pass(); // before the job, which ignores TERM, is gone: so the lease is renewed once more
  assert.equal((await leaving.ended).code, 0);
  assert.equal((await hosts.job('x')).state, 'pending');
  await b.worker();
  await hosts.untilRunOn(b, 'x');
  await hosts.cli.sh('touch end');
  await hosts.untilState('x', 'completed');
  expectNoOverlap(hosts.runs('x'));
});
