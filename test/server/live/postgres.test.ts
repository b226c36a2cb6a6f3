// The event stream of a queue on PostgreSQL: what other hosts do, and a connection that is lost meanwhile.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Queue } from '../../../src/queue/queue.ts';
import { Detour } from '../../support/detour.ts';
import { addWorker, claim, runJob } from '../../support/library.ts';
import { addressWith, ask, sharedServer } from '../../support/postgres.ts';
import { startServer, type TestServer } from '../support.ts';
import { openStream } from './support.ts';

/** A server that reaches its store by a detour, and another host that uses the same queue. */
async function twoHosts(t: TestContext): Promise<{ server: TestServer; detour: Detour; other: Queue }> {
  const url = await sharedServer();
  const schema = `live_${process.pid}_${performance.now().toFixed(0)}`;
  t.after(() => ask(url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const detour = await Detour.to(addressWith(url, { schema }));
  const other = await Queue.open({ db: addressWith(url, { schema }), environment: {} });
  t.after(() => other.close());
  const server = await startServer(t, { db: detour.url, limits: { storeWithinMs: 100 } });
  t.after(() => detour.close());
  return { server, detour, other };
}

test('a change on another host is sent', async (t) => {
  const { server, other } = await twoHosts(t);
  const numbers = await openStream(t, server, '/events?topics=stats'); // which may come before the job or after it
  const stream = await openStream(t, server, '/events?topics=jobs,job:a,output:a');
  await stream.next('gone');
  await other.enqueue([{ id: 'a', command: 'true', max_retries: 0 }]);
  assert.equal((await numbers.next('stats', ({ pending }) => pending === 1)).data.pending, 1);
  assert.equal((await stream.next('job')).data.state, 'pending');
  await addWorker(other, 'w1');
  const lease = await claim(other, 'a', 'w1');
  await other.store.outputs.keep([{ ...lease, from: 0, data: Buffer.from('hello\n') }]);
  assert.equal((await stream.next('output')).data.text, 'hello\n');
});

test('a lost connection is reported, and the stream continues when it is back', async (t) => {
  const { server, detour, other } = await twoHosts(t);
  const stream = await openStream(t, server, '/events?topics=stats');
  await stream.next('stats');
  await detour.reject();
  assert.match((await stream.next('trouble')).data.code, /^store_/);
  const ready = await fetch(`${server.url}/readyz`);
  assert.equal(ready.status, 503);
  await other.enqueue([{ id: 'a', command: 'true', max_retries: 0 }]);
  await addWorker(other, 'w1');
  await runJob(other, 'a', 'w1', 'completed');
  await detour.pass();
  assert.equal((await stream.next('trouble')).data, null);
  assert.equal((await stream.next('stats')).data.completed, 1);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});
