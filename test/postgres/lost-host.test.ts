// Workers and hosts that die. A pid means something on its own host only; elsewhere a lease tells.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allPids } from '../../src/process/tree/proc.ts';
import { isAlive, send } from '../support/fleet.ts';
import { beating, expectNoOverlap, type Host, type Hosts, LONG_LEASE, newHosts } from '../support/hosts.ts';
import { until } from '../support/until.ts';

/** The processes that stand beside a worker. */
const guardsOf = (workerId: string): number[] =>
  allPids().filter((pid) => commandLineOf(pid).includes(`guard.cjs\0${workerId}\0`));

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has gone
  }
}

/** So many ms pass by the signs of life of a worker. */
async function pass(hosts: Hosts, workerId: string, ms: number): Promise<void> {
  const heartbeat = async (): Promise<number> => (await hosts.workerOf(workerId))?.lastHeartbeat ?? 0;
  const before = await heartbeat();
  await until(`${ms} ms pass`, async () => (await heartbeat()) >= before + ms);
}

test('jobs of a host that dies completely run elsewhere after its lease, and only once', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  await a.worker('--concurrency', '3');
  const ids = ['x', 'y', 'z'];
  await hosts.add(...ids.map((id) => ({ id, command: beating() })));
  for (const id of ids) await hosts.untilRunOn(a, id);
  const died = (await hosts.queue.workers())[0];
  await b.worker('--concurrency', '3');
  await a.die();
  for (const id of ids) await hosts.untilRunOn(b, id);
  await hosts.cli.sh('touch end');
  for (const id of ids) {
    await hosts.untilState(id, 'completed');
    expectNoOverlap(hosts.runs(id));
    assert.deepEqual(await hosts.outcomes(id), ['worker_lost', 'completed']);
    const again = (await hosts.attempt(id, 2)).startedAt;
    assert.ok(again - (died?.lastHeartbeat ?? 0) >= 4000, 'not before the lease was over');
  }
});

test('jobs of a killed worker stop with it, long before another host runs them', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const killed = await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  const orphan = await hosts.untilRunOn(a, 'x');
  await b.worker();
  killed.kill('SIGKILL');
  await until('its guard has ended its job', () => !isAlive(orphan.pid));
  assert.deepEqual(await hosts.outcomes('x'), [null], 'nobody has taken it yet');
  await hosts.untilRunOn(b, 'x');
  await hosts.cli.sh('touch end');
  await hosts.untilState('x', 'completed');
  assert.deepEqual(await hosts.outcomes('x'), ['worker_lost', 'completed']);
  expectNoOverlap(hosts.runs('x'));
});

test('if the guard was killed too, other hosts touch no process, as a PID there may be any process', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const killed = await a.worker();
  await hosts.add({ id: 'x', command: `${beating('orphan-end')}; ${beating()}` });
  const orphan = await hosts.untilRunOn(a, 'x');
  await b.worker();
  for (const pid of [killed.pid, ...guardsOf(killed.id)]) send(pid, 'SIGSTOP');
  for (const pid of [killed.pid, ...guardsOf(killed.id)]) send(pid, 'SIGKILL');
  await hosts.untilRunOn(b, 'x');
  assert.ok(isAlive(orphan.pid));
  await a.die();
  await hosts.cli.sh('touch orphan-end end');
  await hosts.untilState('x', 'completed');
  assert.deepEqual(await hosts.outcomes('x'), ['worker_lost', 'completed']);
});

test('a guard that is killed is replaced and knows the running jobs', async (t) => {
  const hosts = await newHosts(t);
  const a = await hosts.host('a');
  const worker = await a.worker('--concurrency', '2');
  await hosts.add({ id: 'x', command: beating() });
  const run = await hosts.untilRunOn(a, 'x');
  const [first = 0] = guardsOf(worker.id);
  send(first, 'SIGKILL');
  await until('there is another', () => guardsOf(worker.id).some((pid) => pid !== first));
  await hosts.add({ id: 'y', command: beating() }); // it is told of this one last: then it knows the other, too
  await hosts.untilRunOn(a, 'y');
  assert.ok(isAlive(run.pid));
  worker.kill('SIGKILL');
  await until('it has ended the job', () => !isAlive(run.pid));
});

test('recovery by PID happens only on the own host: immediately there, never elsewhere', async (t) => {
  const hosts = await newHosts(t, LONG_LEASE);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const killed = await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  await hosts.untilRunOn(a, 'x');
  const elsewhere = await b.worker();
  killed.kill('SIGKILL');
  await killed.ended;
  await pass(hosts, elsewhere.id, 3000);
  assert.deepEqual(await hosts.outcomes('x'), [null], 'from elsewhere nobody can tell yet');

  await b.way.reject(); // so that it is clear who runs it next
  const next = await a.worker();
  await until('it runs again', () => hosts.runs('x').length === 2);
  assert.equal((await hosts.attempt('x', 2)).workerId, next.id);
  await hosts.cli.sh('touch end');
  await hosts.untilState('x', 'completed');
  expectNoOverlap(hosts.runs('x'));
});

test('a live process on this host is no heartbeat for one with the same PID on another host', async (t) => {
  const hosts = await newHosts(t);
  const here = await hosts.host('here');
  const alive = await here.worker();
  const [record] = await hosts.queue.store.workers();
  assert.ok(record);
  await hosts.queue.store.registerWorker({ ...record, id: 'ghost', host: 'there' });
  await until('its lease is over', async () => (await hosts.workerOf('ghost')) === undefined);
  assert.ok(isAlive(alive.pid));
});

test('if one host dies and another is cut off, every job finishes, and no two attempts overlap', async (t) => {
  const hosts = await newHosts(t);
  const [a, b, c] = [await hosts.host('a'), await hosts.host('b'), await hosts.host('c')];
  for (const host of [a, b]) await host.worker('--concurrency', '2');
  const ids = ['1', '2', '3', '4', '5', '6'].map((n) => `job${n}`);
  await hosts.add(...ids.map((id) => ({ id, command: beating(`${id}-end`) })));
  const running = (host: Host): string[] =>
    ids.filter((id) => hosts.runs(id).some((run) => run.host === host.name && isAlive(run.pid)));
  await until('both are busy', () => running(a).length === 2 && running(b).length === 2);
  await c.worker('--concurrency', '2');
  await until('so is the third', () => running(c).length === 2);

  await a.die();
  await b.way.drop();
  const left = new Set(ids);
  await until(
    'all of them have run where the server is seen',
    async () => {
      for (const id of running(c)) await hosts.cli.sh(`touch ${id}-end`);
      for (const id of left) if ((await hosts.job(id)).state === 'completed') left.delete(id);
      return left.size === 0;
    },
    60_000,
  );
  await b.way.pass();
  for (const id of ids) {
    expectNoOverlap(hosts.runs(id));
    const outcomes = await hosts.outcomes(id);
    assert.equal(outcomes.filter((outcome) => outcome === 'completed').length, 1, id);
    assert.deepEqual(
      [...new Set(outcomes.slice(0, -1))].filter((outcome) => outcome !== 'worker_lost'),
      [],
    );
  }
  assert.deepEqual(await hosts.queue.store.check(), []);
});

test('a worker frozen for longer than its lease finds its jobs lost and continues', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  const frozen = await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  const first = await hosts.untilRunOn(a, 'x');
  await b.worker();
  send(frozen.pid, 'SIGSTOP');
  await until('its guard has ended its job', () => !isAlive(first.pid));
  const second = await hosts.untilRunOn(b, 'x', 40_000);
  send(frozen.pid, 'SIGCONT');
  await until('it is back', async () => (await hosts.workerOf(frozen.id)) !== undefined, 40_000);
  assert.ok(isAlive(second.pid));
  await hosts.add({ id: 'y', command: beating() });
  await hosts.untilRunOn(a, 'y');
  await hosts.cli.sh('touch end');
  for (const id of ['x', 'y']) await hosts.untilState(id, 'completed');
  assert.deepEqual(await hosts.outcomes('x'), ['worker_lost', 'completed']);
  expectNoOverlap(hosts.runs('x'));
});
