// Environments on a server, where others could read them: kept only when asked for. And the password of an address,
// which no job is told.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import pg from 'pg';
import { environmentOf } from '../../src/job/environment/environment.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { postgresPlace, quoted } from '../store/postgres-place.ts';
import { newHosts } from '../support/hosts.ts';
import { newJob } from '../support/jobs.ts';
import { ask } from '../support/postgres.ts';
import { until } from '../support/until.ts';

test('jobs run with the environment of their worker unless the option or the setting changes that', async (t) => {
  const hosts = await newHosts(t);
  const host = await hosts.host('one');
  const enqueue = async (...args: string[]): Promise<void> => {
    const env = { ...host.environment, SHELL_OF: 'shell', SHELL_SECRET: 'hunter2' };
    const { code, stderr } = await hosts.cli.run(['enqueue', ...args, 'echo "$SHELL_OF"'], { env });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  };
  const kept = () => ask(hosts.server, `SELECT variables FROM ${hosts.schema}.environments`);
  await enqueue('--id', 'default');
  assert.deepEqual(await kept(), [], 'nothing of the shell is on the server');
  await enqueue('--id', 'flag', '--inherit-env');
  await hosts.set({ inherit_environment: 'on' });
  await enqueue('--id', 'setting');
  await enqueue('--id', 'rejected', '--no-inherit-env');
  assert.equal((await kept()).length, 1);
  const env = { ...host.environment, SHELL_OF: 'worker' };
  const { code, stderr } = await hosts.cli.run(['worker', 'run', '--drain'], { env });
  assert.equal(code, 0, stderr);
  const said = ['default', 'flag', 'setting', 'rejected'].map((id) => hosts.output(id));
  assert.deepEqual(await Promise.all(said), ['worker', 'shell', 'shell', 'worker']);
  assert.equal((await host.run('delete', 'flag', 'setting')).code, 0);
  assert.equal((await hosts.cli.run(['worker', 'run', '--drain'], { env })).code, 0);
  assert.deepEqual(await kept(), []);
});

test('no process of a job has the password of the URL in its environment or arguments', async (t) => {
  const hosts = await newHosts(t);
  const host = await hosts.host('one');
  const { password } = new URL(host.way.url);
  assert.notEqual(password, '');
  for (const [id, ...flags] of [['theirs'], ['mine', '--inherit-env']] as const)
    assert.equal((await host.run('enqueue', '--id', id, ...flags, 'until [ -e end ]; do sleep 0.05; done')).code, 0);
  await host.worker('--concurrency', '2');
  for (const id of ['theirs', 'mine']) {
    await hosts.untilState(id, 'processing');
    const pid = await until('it is started', async () => (await hosts.attempt(id, 1)).pid);
    const [environment, line] = ['environ', 'cmdline'].map((name) => fs.readFileSync(`/proc/${pid}/${name}`, 'utf8'));
    assert.match(
      String(environment),
      new RegExp(`\\0QUEUECTL_DB=postgres://postgres@127\\.0\\.0\\.1:\\d+/postgres\\?schema=${hosts.schema}`),
    );
    assert.doesNotMatch(String(environment) + line, new RegExp(`[:=]${password}\\b`));
  }
  fs.writeFileSync(hosts.path('end'), '');
  await hosts.untilState('theirs', 'completed');
  await hosts.untilState('mine', 'completed');
});

test('a job that calls queuectl finds the password where libpq does, or goes through its worker', async (t) => {
  const hosts = await newHosts(t);
  const host = await hosts.host('one');
  const { password } = new URL(host.way.url);
  const passFile = hosts.path('pgpass');
  fs.writeFileSync(passFile, `*:*:*:*:${password}\n`, { mode: 0o600 });
  const nested = (id: string): string =>
    `queuectl enqueue --print-id --id ${id} true 2>&1; echo "<\${QUEUECTL_SERVER%:*}>"`;
  const enqueue = (...args: string[]) => host.run('enqueue', '--max-retries', '0', ...args);
  await enqueue('--id', 'file', '-e', `PGPASSFILE=${passFile}`, nested('from-file'));
  await enqueue('--id', 'variable', '-e', `PGPASSWORD=${password}`, nested('from-variable'));
  await enqueue('--id', 'none', nested('from-none'));
  await host.worker('--concurrency', '3');
  for (const [id, way] of Object.entries({ file: '', variable: '', none: 'unix' })) {
    await hosts.untilState(id, 'completed');
    assert.equal(await hosts.output(id), `from-${id}\n<${way}>`);
    await hosts.untilState(`from-${id}`, 'completed');
  }
});

test('an environment that a job is about to refer to is not swept', async (t) => {
  const place = await postgresPlace();
  const store = await openPostgres(place.url);
  const client = new pg.Client({ connectionString: place.server });
  t.after(async () => {
    await client.end();
    await store.close();
    await place.remove();
  });
  await store.enqueue([newJob('a')], environmentOf({ A: '1' }));
  await store.remove(['a']);
  await client.connect();
  await client.query(`BEGIN; SELECT id FROM ${quoted(place.schema)}.environments FOR KEY SHARE`);
  assert.deepEqual(await store.environments.sweep(0, 10), { removed: 0, next: 0 });
  await client.query('ROLLBACK');
  assert.deepEqual(await store.environments.sweep(0, 10), { removed: 1, next: 0 });
});

test('a client that enqueues slowly with a new environment does not block others from the same', async (t) => {
  const place = await postgresPlace();
  const [slow, quick] = [await openPostgres(place.url), await openPostgres(place.url)];
  const client = new pg.Client({ connectionString: place.server });
  t.after(async () => {
    await client.end();
    await Promise.all([slow.close(), quick.close()]);
    await place.remove();
  });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`
    INSERT INTO ${quoted(place.schema)}.jobs
      (id, queue, state, ready, priority, command, is_argv, max_retries, created_at, updated_at)
    VALUES ('wanted', 'default', 'pending', 1, 0, 'true', 0, 0, 0, 0)`);
  const waiting = slow.enqueue([newJob('wanted')], environmentOf({ A: 'new' }));
  await until('it waits for the id', async () => {
    const asked = await ask(place.server, 'SELECT 1 FROM pg_locks WHERE NOT granted');
    return asked.length > 0;
  });
  await quick.enqueue([newJob('other')], environmentOf({ B: 'new as well' }));
  await quick.enqueue([newJob('same')], environmentOf({ A: 'new' }));
  await client.query('ROLLBACK');
  await waiting;
  const variables = await ask(place.server, `SELECT variables FROM ${quoted(place.schema)}.environments ORDER BY id`);
  assert.deepEqual(
    variables.map((row) => row.variables),
    ['{"A":"new"}', '{"B":"new as well"}'],
  );
});

test("a job does not get the password of its worker's variable unless the setting names it", async (t) => {
  const hosts = await newHosts(t);
  const host = await hosts.host('one');
  const { password } = new URL(host.way.url);
  const env = { ...host.environment, PGPASSWORD: password, OTHER: 'kept' };
  const said = async (id: string): Promise<string> => {
    const look = 'echo "$PGPASSWORD/$OTHER"';
    assert.equal((await host.run('enqueue', '--id', id, look)).code, 0);
    assert.equal((await hosts.cli.run(['worker', 'run', '--drain'], { env })).code, 0);
    return hosts.output(id);
  };
  assert.equal(await said('default'), '/kept');
  await hosts.set({ inherit_from_worker: 'PATH,PGPASSWORD' });
  assert.equal(await said('named'), `${password}/`);
});
