// The connection that wake-ups come in on: when it dies, loudly or silently, another takes its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_POLL } from '../support/fleet.ts';
import { type Hosts, newHosts } from '../support/hosts.ts';
import { ask } from '../support/postgres.ts';
import { until } from '../support/until.ts';

/** Far below every interval of NO_POLL: whoever is as quick was woken. */
const PROMPT_MS = 5000;

const LISTENS = `(query LIKE 'LISTEN%' OR query = 'SELECT 1')`;

/** The server's processes behind the connections that listen. */
async function listeners(hosts: Hosts): Promise<number[]> {
  const text = `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND ${LISTENS}`;
  return (await ask(hosts.server, text, [hosts.schema])).map(({ pid }) => Number(pid));
}

async function expectPrompt(hosts: Hosts, id: string): Promise<void> {
  await hosts.add({ id, command: 'true' });
  await hosts.untilState(id, 'completed', PROMPT_MS);
}

test('a listener whose connection was terminated is replaced, and jobs start as promptly as before', async (t) => {
  const hosts = await newHosts(t, NO_POLL);
  await (await hosts.host('a')).worker();
  const [first] = await until('it listens', async () => {
    const found = await listeners(hosts);
    return found.length === 1 ? found : null;
  });
  await expectPrompt(hosts, 'before');
  assert.equal(await hosts.terminate(LISTENS), 1);
  await until('another listens', async () => {
    const [pid] = await listeners(hosts);
    return pid !== undefined && pid !== first;
  });
  await expectPrompt(hosts, 'after');
});

test('a listener whose packets are dropped is detected and replaced', async (t) => {
  const hosts = await newHosts(t, NO_POLL);
  const host = await hosts.host('a');
  await host.worker();
  await until('it listens', async () => (await listeners(hosts)).length === 1);
  await expectPrompt(hosts, 'before');
  const before = await listeners(hosts);
  host.way.swallow();
  await until('another listens', async () => (await listeners(hosts)).some((pid) => !before.includes(pid)), 60_000);
  // Its connection for work was swallowed too, which it finds out with its next turn.
  await hosts.add({ id: 'after', command: 'true' });
  await hosts.untilState('after', 'completed', 40_000);
  await expectPrompt(hosts, 'at-last');
});

test('a job enqueued while no listener was connected is found when the connection is restored', async (t) => {
  const hosts = await newHosts(t, NO_POLL);
  const host = await hosts.host('a');
  await host.worker();
  await until('it listens', async () => (await listeners(hosts)).length === 1);
  await host.way.reject();
  await hosts.add({ id: 'x', command: 'true' });
  await host.way.pass();
  await hosts.untilState('x', 'completed', 40_000);
});
