// The server goes down and comes back, in good order or by a crash: an interruption, not an event in any job's life.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../support/fleet.ts';
import { beating, LONG_LEASE, newHosts, SHORT_LEASE } from '../support/hosts.ts';
import { type Halt, startServer } from '../support/postgres.ts';
import { until } from '../support/until.ts';

for (const [how, what] of [
  ['shutdown', 'restarts'],
  ['crash', 'crashes and recovers'],
] as [Halt, string][]) {
  test(`a server that ${what}: jobs continue, outcomes in between are reported, and no job runs twice`, async (t) => {
    const server = await startServer();
    const hosts = await newHosts(t, LONG_LEASE, server);
    const workers = [await (await hosts.host('a')).worker(), await (await hosts.host('b')).worker()];
    await hosts.add({ id: 'long', command: beating() }, { id: 'short', command: beating('short-end') });
    await until('both run', () => hosts.runs('long').length === 1 && hosts.runs('short').length === 1);

    await server.halt(how);
    await hosts.cli.sh('touch short-end');
    const [short] = hosts.runs('short');
    await until('one has ended', () => !isAlive(short?.pid ?? 0));
    await until('its worker knows', () => workers.some(({ stderr }) => stderr().includes('completed  short')));
    await server.resume();

    const job = await hosts.untilState('short', 'completed');
    assert.deepEqual([job.attempts, job.interruptions], [1, 0]);
    await hosts.cli.sh('touch end');
    await hosts.untilState('long', 'completed');
    for (const id of ['long', 'short']) {
      assert.deepEqual(await hosts.outcomes(id), ['completed']);
      assert.equal(hosts.runs(id).length, 1);
    }

    await hosts.add(...workers.map((_, i) => ({ id: `after${i}`, command: beating('all') })));
    await until('both work on', () => workers.every((_, i) => hosts.runs(`after${i}`).length === 1));
    await hosts.cli.sh('touch all');
    for (const i of workers.keys()) await hosts.untilState(`after${i}`, 'completed');
    assert.deepEqual(await hosts.queue.store.check(), []);
  });
}

test('a server that is away for longer than a lease: every job is stopped, and runs again when it is back', async (t) => {
  const server = await startServer();
  const hosts = await newHosts(t, SHORT_LEASE, server);
  for (const name of ['a', 'b']) await (await hosts.host(name)).worker();
  await hosts.add({ id: 'x', command: beating() }, { id: 'y', command: beating() });
  await until('both run', () => hosts.runs('x').length === 1 && hosts.runs('y').length === 1);
  const pids = ['x', 'y'].flatMap((id) => hosts.runs(id).map(({ pid }) => pid));

  await server.halt();
  await until('their workers have ended both', () => !pids.some(isAlive));
  await server.resume();

  await until('both run again', () => hosts.runs('x').length === 2 && hosts.runs('y').length === 2, 40_000);
  await hosts.cli.sh('touch end');
  for (const id of ['x', 'y']) {
    await hosts.untilState(id, 'completed');
    assert.equal((await hosts.job(id)).attempts, 1, 'no try is used up');
    assert.equal((await hosts.outcomes(id)).at(-1), 'completed');
    assert.equal(hosts.runs(id).length, 2);
  }
});
