// Nobody listens for a while, as when one server takes over from another: workers wait, and go on by themselves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../support/fleet.ts';
import { beating, expectNoOverlap, LONG_LEASE, newHosts } from '../support/hosts.ts';
import { until } from '../support/until.ts';

const AWAY_MS = 6000;

test('connections are rejected for 6 s, and running jobs and their worker continue', async (t) => {
  const hosts = await newHosts(t, LONG_LEASE);
  const host = await hosts.host('a');
  const worker = await host.worker('--concurrency', '2');
  await hosts.add({ id: 'long', command: beating() }, { id: 'short', command: beating('short-end') });
  await until('both run', () => hosts.runs('long').length === 1 && hosts.runs('short').length === 1);

  await host.way.reject();
  const away = performance.now();
  await hosts.cli.sh('touch short-end');
  await until('it says what is wrong', () => /degraded: .*connection refused at/.test(worker.stderr()));
  await until('it was away for long', () => performance.now() - away > AWAY_MS);
  const [run] = hosts.runs('long');
  assert.ok(isAlive(run?.pid ?? 0), 'it runs on');
  await host.way.pass();

  await hosts.untilState('short', 'completed');
  await hosts.cli.sh('touch end');
  await hosts.untilState('long', 'completed');
  assert.deepEqual([hosts.runs('long').length, hosts.runs('short').length], [1, 1]);
  assert.doesNotMatch(worker.stderr(), /secret/);
  await hosts.add({ id: 'next', command: 'true' });
  await hosts.untilState('next', 'completed');
});

test('a host that is rejected past its lease stops its job in time, another host runs it, and both continue', async (t) => {
  const hosts = await newHosts(t);
  const [a, b] = [await hosts.host('a'), await hosts.host('b')];
  await a.worker();
  await hosts.add({ id: 'x', command: beating() });
  const first = await hosts.untilRunOn(a, 'x');
  await b.worker();

  await a.way.reject();
  await hosts.untilRunOn(b, 'x');
  assert.ok(!isAlive(first.pid), 'it was ended before the other one was let start');
  await a.way.pass();
  await hosts.add({ id: 'y', command: beating() });
  await hosts.untilRunOn(a, 'y');

  await hosts.cli.sh('touch end');
  await hosts.untilState('x', 'completed');
  await hosts.untilState('y', 'completed');
  expectNoOverlap(hosts.runs('x'));
  assert.deepEqual(await hosts.outcomes('x'), ['worker_lost', 'completed']);
});
