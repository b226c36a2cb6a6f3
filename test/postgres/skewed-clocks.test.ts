// Hosts whose clocks are wrong: what is due is for the server's clock to say.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import type { ForegroundWorker } from '../support/fleet.ts';
import { beating, type Host, type Hosts, LONG_LEASE, newHosts } from '../support/hosts.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const WRONG_CLOCK = new URL('../support/wrong-clock.mjs', import.meta.url);

/** A worker whose clock is off by what the file says. */
async function wrongWorker(hosts: Hosts, name: string, offsetMs: number): Promise<ForegroundWorker> {
  return wrongWorkerOn(hosts, await hosts.host(name), offsetMs);
}

function wrongWorkerOn(hosts: Hosts, host: Host, offsetMs: number): Promise<ForegroundWorker> {
  setClock(hosts, host.name, offsetMs);
  return hosts.workerWith({
    ...host.environment,
    NODE_OPTIONS: `--import ${WRONG_CLOCK}`,
    CLOCK_OFFSET_FILE: hosts.path(`clock of ${host.name}`),
  });
}

function setClock(hosts: Hosts, name: string, offsetMs: number): void {
  fs.writeFileSync(hosts.path(`clock of ${name}`), String(offsetMs));
}

for (const [what, offsetMs] of [
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
] as const) {
  test(`a worker whose clock is ${what} starts and retries a job when it is due`, async (t) => {
    const hosts = await newHosts(t, LONG_LEASE);
    const worker = await wrongWorker(hosts, 'a', offsetMs);
    await hosts.add({
      id: 'x',
      command: '[ -e tried ] || { touch tried; exit 1; }',
      delay_seconds: 2,
      backoff_base: 1.5,
      backoff_strategy: 'fixed',
    });
    const job = await hosts.untilState('x', 'completed');
    const [first, second] = await hosts.history('x');
    assert.equal(first?.workerId, worker.id);
    const delayMs = (first?.startedAt ?? 0) - job.createdAt;
    assert.ok(delayMs > 1500 && delayMs < 60_000, `first after ${delayMs} ms`);
    const backoffMs = (second?.startedAt ?? 0) - (first?.endedAt ?? 0);
    assert.ok(backoffMs > 1400 && backoffMs < 60_000, `again after ${backoffMs} ms`);
    assert.ok(Math.abs((job.finishedAt ?? 0) - Date.now()) < 60_000, "times are the server's");
  });
}

test('hosts whose clocks differ by two hours agree on due jobs and live workers', async (t) => {
  const hosts = await newHosts(t);
  const workers = [await wrongWorker(hosts, 'ahead', HOUR_MS), await wrongWorker(hosts, 'behind', -HOUR_MS)];
  await hosts.add({ id: 'long', command: beating() });
  const ids = Array.from({ length: 10 }, (_, i) => `job${i}`);
  await hosts.add(...ids.map((id, i) => ({ id, command: 'true', delay_seconds: i / 2 })));
  for (const [i, id] of ids.entries()) {
    const job = await hosts.untilState(id, 'completed');
    const lateMs = (await hosts.attempt(id, 1)).startedAt - job.createdAt - i * 500;
    assert.ok(lateMs > -500 && lateMs < 60_000, `${id} was ${lateMs} ms late`);
  }
  await hosts.cli.sh('touch end');
  await hosts.untilState('long', 'completed');
  assert.deepEqual(await hosts.outcomes('long'), ['completed'], 'nobody was taken for dead');
  for (const { id, stderr } of workers) {
    assert.ok(await hosts.workerOf(id));
    assert.doesNotMatch(stderr(), /considered lost/);
  }
});

test('a server clock that falls behind does not make a worker query without pause', async (t) => {
  const hosts = await newHosts(t, { ...LONG_LEASE, heartbeat_interval: 1 });
  const host = await hosts.host('a');
  let packets = 0;
  host.way.toServer = () => {
    packets++;
    return true;
  };
  const jumps = hosts.path('everybody else falls behind');
  fs.writeFileSync(jumps, '0');
  setClock(hosts, 'a', 0);
  const worker = await hosts.workerWith({
    ...host.environment,
    NODE_OPTIONS: `--import ${WRONG_CLOCK}`,
    CLOCK_OFFSET_FILE: hosts.path('clock of a'),
    MONOTONIC_OFFSET_FILE: jumps,
  });
  await hosts.add({ id: 'later', command: 'true', delay_seconds: 1800 });
  const heartbeat = async (): Promise<number> => (await hosts.workerOf(worker.id))?.lastHeartbeat ?? 0;
  fs.writeFileSync(jumps, String(HOUR_MS));
  const before = await heartbeat();
  await until('it has had a look', async () => (await heartbeat()) > before);
  const [from, sent] = [await heartbeat(), packets];
  await until('some seconds pass', async () => (await heartbeat()) > from + 3000);
  const rate = (packets - sent) / 3;
  assert.ok(rate < 50, `${Math.round(rate)} packets a second`);
  assert.equal((await hosts.job('later')).state, 'pending');
});

test('a clock that jumps ahead under a worker does not make it query without pause', async (t) => {
  const hosts = await newHosts(t, { ...LONG_LEASE, heartbeat_interval: 1 });
  const host = await hosts.host('a');
  let packets = 0;
  host.way.toServer = () => {
    packets++;
    return true;
  };
  const worker = await wrongWorkerOn(hosts, host, 0);
  await hosts.add({ id: 'later', command: 'true', delay_seconds: 1800 });
  const heartbeat = async (): Promise<number> => (await hosts.workerOf(worker.id))?.lastHeartbeat ?? 0;
  setClock(hosts, 'a', HOUR_MS);
  const before = await heartbeat();
  await until('it has had a look', async () => (await heartbeat()) > before);
  const [from, sent] = [await heartbeat(), packets];
  await until('some seconds pass', async () => (await heartbeat()) > from + 3000);
  const rate = (packets - sent) / 3;
  assert.ok(rate < 50, `${Math.round(rate)} packets a second`);
  assert.equal((await hosts.job('later')).state, 'pending');
});
