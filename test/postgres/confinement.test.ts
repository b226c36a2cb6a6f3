// Policy, recipes and required sandboxes of a queue on PostgreSQL: the ways around them that are closed on SQLite are closed there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { test } from 'node:test';
import { whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';
import { overHttp } from '../../src/library/http.ts';
import { asRole, startServer } from '../server/support.ts';
import { type Hosts, newHosts } from '../support/hosts.ts';
import { addressWith, ask } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const isRoot = process.getuid?.() === 0;
const OTHER = os.userInfo().username === 'nobody' ? 'daemon' : 'nobody';
const DELIVERY = ['queuectl', '__webhook', 'http://192.0.2.1/x'];

const addressOf = ({ server, schema }: Hosts): string => addressWith(server, { schema });
const change = ({ server, schema }: Hosts, what: string, id: string): Promise<unknown> =>
  ask(server, `UPDATE ${schema}.jobs SET ${what} WHERE id = '${id}'`);

test('a policy applies to enqueuers and operators, and to rows written around it', async (t) => {
  const hosts = await newHosts(t, { policy_programs: '/usr/bin/true; git clone * *' });
  const server = await startServer(t, { db: addressOf(hosts) });
  const [enqueuer, operator] = [await asRole(server, 'enqueuer'), await asRole(server, 'operator')];
  for (const [status, job] of [
    [400, { command: DELIVERY }],
    [400, { command: ['webhook', 'POST', 'http://192.0.2.1/x'] }],
    [400, { command: ['/usr/bin/true'], hook_of: 'a' }],
    [403, { command: ['/usr/bin/true'], env: { TAR_OPTIONS: '--checkpoint=1' } }],
    [403, { command: ['/usr/bin/true'], env: { 'BASH_FUNC_x%%': '() { id; }' } }],
    [403, { command: ['git', 'clone', '--upload-pack=id', 'x'] }],
    [403, { command: ['/usr/bin/true'], on_failure: 'id' }],
  ] as const)
    assert.equal((await enqueuer('POST', '/jobs', job)).status, status, JSON.stringify(job));
  assert.equal(await hosts.queue.countOf({}), 0);
  await hosts.add(
    { id: 'hooked', command: ['/usr/bin/true'], hooks: { on_success: 'http://192.88.99.9.invalid/' } },
    { id: 'forged', command: ['/usr/bin/true'] },
  );
  await change(hosts, `command = '${JSON.stringify(DELIVERY)}', env = '{"NODE_OPTIONS":"-v"}'`, 'forged');
  await (await hosts.host('one')).worker();
  const delivery = await until('the delivery is there', async () =>
    (await operator('GET', '/jobs')).json.jobs.find((job: { hook_of: string }) => job.hook_of === 'hooked'),
  );
  for (const edit of [{ env: { QUEUECTL_HOOK_BODY: 'x' } }, { cwd: '/etc' }, { command: ['/usr/bin/true'] }]) {
    const answered = await until('the delivery waits for its next attempt', async () => {
      const { status } = await operator('PATCH', `/jobs/${delivery.id}`, edit);
      return status !== 409 && status;
    });
    assert.equal(answered, 400, JSON.stringify(edit));
  }
  await hosts.untilFinal('forged');
  const [attempt] = await hosts.history('forged');
  assert.equal(attempt?.outcome, 'rejected');
  assert.match(String(attempt?.error), /variable NODE_OPTIONS is not allowed/);
});

test('recipes limit their parameters, and accounts restricted to recipes can enqueue nothing else', async (t) => {
  const hosts = await newHosts(t);
  const server = await startServer(t, { db: addressOf(hosts) });
  for (const command of [['env', '{x}'], ['nohup', '{x}'], ['xargs', '{x}'], ['node', '--eval={x}'], ['sh']])
    assert.equal((await server.ask('PUT', '/recipes/bad', { command })).status, 400, command.join(' '));
  const command = ['head', '-n', '{n:int}', '{f:path(/usr)}'];
  assert.equal((await server.ask('PUT', '/recipes/head', { command })).status, 200);
  await hosts.set({ policy_recipes_only: 'enqueuers' });
  const enqueuer = await asRole(server, 'enqueuer');
  const made = (params: object, more = {}) => enqueuer('POST', '/jobs', { recipe: 'head', params, ...more });
  const good = { n: 1, f: '/usr/x' };
  assert.equal((await made({ ...good, n: '-0' })).status, 400);
  assert.equal((await made({ n: 1, f: 'shadow' }, { cwd: '/etc' })).status, 400);
  assert.equal((await made(good, { env: { GIT_SSH_COMMAND: 'id' } })).status, 403);
  assert.equal((await made(good, { hooks: { on_failure: 'id' } })).status, 403);
  assert.equal((await enqueuer('POST', '/jobs', { command: ['true'] })).status, 403);
  assert.equal((await made(good)).status, 201);
});

test('an enqueuer chooses no directory for a required sandbox, before or after the check', async (t) => {
  const hosts = await newHosts(t);
  await hosts.queue.queues.set('held', { confinement: { sandbox: 'strict' } });
  await assert.rejects(hosts.add({ queue: 'held', command: 'true', cwd: '/etc' }), /sandbox_directories/);
  await hosts.add({ id: 'a', queue: 'held', command: 'true', cwd: null, max_retries: 0 });
  await change(hosts, "cwd = '/etc'", 'a');
  await (await hosts.host('one')).worker();
  await hosts.untilFinal('a');
  const [attempt] = await hosts.history('a');
  assert.equal(attempt?.outcome, 'not_started');
  const expected = (await whyNoSandbox()) === null ? /'\/etc' is not in the setting/ : /the job requires a sandbox/;
  assert.match(String(attempt?.error), expected);
});

test('an isolated job cannot create jobs that run before others or block others', async (t) => {
  const hosts = await newHosts(t);
  const work = hosts.path('work');
  fs.mkdirSync(work);
  fs.chmodSync(work, 0o777);
  if (isRoot) fs.chmodSync(hosts.cli.folder, 0o755);
  const confining = isRoot ? { user: OTHER } : { sandbox: 'strict' };
  const command = 'echo "$QUEUECTL_SERVER $QUEUECTL_TOKEN" > new; mv new way; until [ -e go ]; do sleep 0.05; done';
  await hosts.add({ id: 'outer', command, cwd: work, priority: 3, key: 'own', max_retries: 0, ...confining });
  await (await hosts.host('one')).worker();
  if (!isRoot && (await whyNoSandbox()) !== null) {
    assert.equal((await hosts.untilFinal('outer')).state, 'dead');
    return;
  }
  const way = await until(
    'it has started',
    () => fs.existsSync(`${work}/way`) && fs.readFileSync(`${work}/way`, 'utf8'),
  );
  const [, url = '', token = ''] = /^unix:(.*) (\S+)\n$/.exec(way) ?? [];
  const transport = overHttp({ url: `unix:${url}`, socket: url }, token);
  const post = async (job: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await transport.send('/api/v1/jobs', {
      method: 'POST',
      headers,
      body: JSON.stringify(job),
    });
    return (await response.json()) as { code?: string; jobs?: { priority: number; key: string | null }[] };
  };
  const [child] = (await post({ command: 'true', priority: 100 })).jobs ?? [];
  assert.deepEqual([child?.priority, child?.key], [3, null]);
  for (const more of [{ key: 'other' }, { unique_key: 'u' }, { group: 'g' }, { user: 'root' }, { on_dead: 'id' }])
    assert.equal((await post({ command: 'true', ...more })).code, 'not_for_jobs', JSON.stringify(more));
  fs.writeFileSync(`${work}/go`, '');
  await hosts.untilFinal('outer');
});
