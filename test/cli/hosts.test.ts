// Workers on several hosts that share a queue: seen apart, and stopped where it was meant.

import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { type Host, type Hosts, LONG_LEASE, newHosts, SHORT_LEASE } from '../support/hosts.ts';
import { until } from '../support/until.ts';
import { type Document, newQueue } from './support.ts';

interface Pair {
  readonly hosts: Hosts;
  readonly web: Host;
  readonly db: Host;
}

/** Two workers on web, one on db. */
async function twoHosts(t: TestContext, settings: Readonly<Record<string, number>> = LONG_LEASE) {
  const hosts = await newHosts(t, settings);
  const pair: Pair = { hosts, web: await hosts.host('web'), db: await hosts.host('db') };
  const workers = [await pair.web.worker(), await pair.web.worker(), await pair.db.worker()] as const;
  return { ...pair, workers };
}

async function said(host: Host, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await host.run(...args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
  return stdout;
}

const json = async <T>(host: Host, ...args: string[]): Promise<T> =>
  JSON.parse(await said(host, ...args, '--json')) as T;

const hostsLeft = async (host: Host): Promise<unknown[]> =>
  (await json<Document[]>(host, 'worker', 'list')).map((worker) => worker.host);

suite('hosts', { concurrency: 1 }, () => {
  test('status and worker list show the host of each worker', async (t) => {
    const { hosts, web } = await twoHosts(t);
    assert.match(await said(web, 'status'), /^database postgres:.*\nthe queue is empty, 3 workers ready.*\nhosts: db 1 \(0 busy\) · web 2 \(0 busy\)\n$/); // biome-ignore format: a page
    await hosts.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.05; done' });
    await hosts.untilState('a', 'processing');
    const { host } = await hosts.attempt('a', 1);
    const text = await said(web, 'status');
    assert.match(text, new RegExp(`\\nhosts: .*${host} [12] \\(1 busy\\)`));
    const status = await json<Document>(web, 'status');
    assert.deepEqual(
      (status.hosts as Document[]).map((one) => [one.host, one.active, one.lost]),
      [
        ['db', 1, 0],
        ['web', 2, 0],
      ],
    );
    assert.equal(status.active_workers, 3);
    assert.match(await said(web, 'worker', 'list'), /host[\s\S]*web[\s\S]*web[\s\S]*db/);
    hosts.cli.write('end', '');
    await hosts.untilState('a', 'completed');
  });

  test('worker stop stops the workers of its own host and lists the others', async (t) => {
    const { web, db, workers } = await twoHosts(t);
    const text = await said(web, 'worker', 'stop');
    assert.match(
      text,
      /^(w\w+ {2}stopped\n){2}1 worker on other hosts \(db\); stop them with: queuectl worker stop --all-hosts\n$/,
    );
    await Promise.all([workers[0].ended, workers[1].ended]);
    assert.deepEqual(await hostsLeft(web), ['db']);
    assert.match(
      await said(web, 'worker', 'stop'),
      /^no worker is running on web\n1 worker on other hosts \(db\); stop them with: /,
    );
    assert.deepEqual(await json(web, 'worker', 'stop'), []);
    assert.match(await said(db, 'worker', 'stop'), /^w\w+ {2}stopped\n$/);
    await workers[2].ended;
  });

  test('--host stops workers of another host, --all-hosts all workers', async (t) => {
    const { web, db, workers } = await twoHosts(t);
    const stopped = await json<Document[]>(web, 'worker', 'stop', '--host', 'db');
    assert.deepEqual(
      stopped.map(({ id, host, state }) => [id, host, state]),
      [[workers[2].id, 'db', 'stopped']],
    );
    await workers[2].ended;
    assert.equal((await json<Document[]>(db, 'worker', 'stop', '--all-hosts')).length, 2);
    assert.deepEqual(await hostsLeft(web), []);
    assert.equal(await said(web, 'worker', 'stop', '--all-hosts'), 'no worker is running\n');
  });

  test('an ID is stopped on any host', async (t) => {
    const { web, workers } = await twoHosts(t);
    assert.equal(await said(web, 'worker', 'stop', workers[2].id), `${workers[2].id}  stopped\n`);
    await workers[2].ended;
  });

  test('a stop waits for a job on another host', async (t) => {
    const { hosts, web, db, workers } = await twoHosts(t);
    await said(web, 'worker', 'stop');
    await hosts.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.05; done' });
    await hosts.untilState('a', 'processing');
    const stopping = web.run('worker', 'stop', '--host', 'db');
    await until('it is asked to', async () => (await hosts.workerOf(workers[2].id))?.state === 'stopping');
    assert.equal((await hosts.job('a')).state, 'processing');
    assert.deepEqual(await hostsLeft(db), ['db']);
    hosts.cli.write('end', '');
    assert.match((await stopping).stdout, /stopped/);
    assert.equal((await hosts.job('a')).state, 'completed');
  });

  test('a dead worker of another host is waited for until its lease expires', async (t) => {
    const { web, db, workers } = await twoHosts(t, SHORT_LEASE);
    await said(web, 'worker', 'stop');
    await db.die();
    const answer = await json<Document[]>(web, 'worker', 'stop', '--host', 'db');
    assert.deepEqual(
      answer.map(({ id, state }) => [id, state]),
      [[workers[2].id, 'lost']],
    );
  });

  test('a move requeues jobs of a lost worker on another host, and is rejected before', async (t) => {
    const hosts = await newHosts(t, SHORT_LEASE);
    const [web, db] = [await hosts.host('web'), await hosts.host('db')];
    await db.worker();
    await hosts.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.05; done' });
    await hosts.untilState('a', 'processing');
    const file = hosts.path('new.db');
    const rejected = await web.run('migrate', '--to', file);
    assert.equal(rejected.code, 4);
    assert.match(
      rejected.stderr,
      /1 worker of 'postgres:.*' running; migrate requires stopped workers\n hint: stop the workers first: .*worker stop --all-hosts\n$/,
    );
    await db.die();
    const isLost = async () => (await json<Document[]>(web, 'worker', 'list'))[0]?.state === 'lost';
    await until('it is taken for lost', isLost);
    await said(web, 'migrate', '--to', file);
    const job = await json<Document>(web, 'show', 'a', '--db', file);
    assert.deepEqual([job.state, job.interruptions, job.locked_by], ['pending', 1, null]);
  });

  test('an unknown host is rejected with the list of known hosts', async (t) => {
    const { hosts, web } = await twoHosts(t);
    const run = async (...args: string[]) => web.run('worker', 'stop', ...args);
    const { code, stderr } = await run('--host', 'wbe');
    assert.equal(code, 3);
    assert.equal(stderr, "error: no worker is running on host 'wbe'\n hint: workers are running on: db, web\n");
    for (const args of [
      ['--host', 'web', '--all-hosts'],
      ['w1', '--all-hosts'],
      ['w1', '--host', 'web'],
    ]) {
      assert.equal((await run(...args)).code, 2, args.join(' '));
    }
    assert.equal((await hosts.queue.workers()).length, 3);
  });

  test('a directory need not exist on the host that enqueues', async (t) => {
    const { web } = await twoHosts(t);
    assert.match(await said(web, 'enqueue', '--cwd', '/only/elsewhere', 'true'), /enqueued/);
  });

  test('in a SQLite file every worker belongs to this host', async (t) => {
    const queue = newQueue(t);
    const worker = queue.start(['worker', 'run'], { env: { QUEUECTL_HOST: 'elsewhere' } });
    await until('it is there', async () => (await queue.json<Document[]>('worker', 'list')).length === 1);
    assert.match(await queue.text('worker', 'stop'), /^w\w+ {2}stopped\n$/);
    await worker.ended;
    assert.match(await queue.rejected(3, ['worker', 'stop', '--host', 'a']), /hint: no worker is running/);
  });
});
