// The command line through a server: a laptop without access to the queue, against a real `queuectl serve`. The same answers as
// beside the queue, and clear words for what cannot be done from there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { freePort } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type Both, both, Laptop, serve } from './laptop.ts';
import { newQueue } from './support.ts';

/** What is shown here is what is shown beside the queue. */
async function expectSame({ laptop, there }: Both, ...args: string[]): Promise<void> {
  const [far, near] = [await laptop.run(args), await there.inProcess(args)];
  const withoutAges = (text: string): string =>
    text.replaceAll(/\d+(\.\d+)? (s|ms|min)\b( ago)?|\bnow\b/g, 'T').replaceAll(/ {2,}/g, '  ');
  assert.deepEqual(
    [far.code, withoutAges(far.stdout), far.stderr],
    [near.code, withoutAges(near.stdout), near.stderr],
    args.join(' '),
  );
}

test('run prints the output of a job as it is written, and exits with its code', async (t) => {
  const { here, server } = await both(t, '--workers', '1');
  const line = `printf 'one\\n' | queuectl --server '${server.url}/#token=${server.token}' run 'cat; echo two; exit 3'`;
  const { code, stdout } = await here.sh(line);
  assert.deepEqual([code, stdout], [3, 'one\ntwo\n']);
});

test('jobs can be enqueued in every form', async (t) => {
  const { there, here, laptop } = await both(t, '--workers', '3');
  const file = here.write('jobs.ndjson', '{"id":"f1","command":"true"}\n{"id":"f2","command":"true"}\n');
  assert.match(await laptop.text('enqueue', '--id', 'w1', '--tag', 'x', '-e', 'A=1', 'echo hi'), /^w1 {2}enqueued/);
  assert.match(await laptop.text('enqueue', '--', 'echo', 'an arg'), /enqueued/);
  assert.match(await laptop.text('enqueue', '--file', file), /2 jobs enqueued/);
  assert.match(
    await laptop.text('enqueue', '--array', '1-3', '--group', 'g', 'echo $QUEUECTL_ARRAY_INDEX'),
    /3 jobs enqueued in group g/,
  );
  const flow = '{"jobs":{"a":{"command":"true"},"b":{"command":"true","after":"a"}}}';
  assert.match(await laptop.text('enqueue', flow), /a {2}enqueued[\s\S]*b {2}enqueued/);
  const twice = ['enqueue', '--unique', 'k', '--delay', '1h', 'true'];
  await laptop.text(...twice);
  assert.match(await laptop.text(...twice), /exists {2}pending/);
  assert.match(await laptop.text('wait', '--group', 'g'), /all completed/);
  assert.equal(await laptop.text('wait', 'w1'), 'w1  completed\n');
  const bad = here.write('bad.ndjson', '{"command":"true"}\n{"comand":"true"}\n');
  assert.match(await laptop.rejected(2, ['enqueue', '--file', bad]), /line 2: unknown field 'comand'/);
  assert.match(await laptop.rejected(4, ['enqueue', '--id', 'w1', 'true']), /'w1' already exists/);
  const job = await laptop.json('show', 'w1');
  assert.equal(job.cwd, there.folder, 'it runs where the server is');
});

test('reports equal those of a local queue', async (t) => {
  const pair = await both(t, '--workers', '1');
  const { there, laptop } = pair;
  const id = await there.enqueue('--max-retries', '0', '--split-output', 'echo out; echo err >&2; exit 4');
  await there.enqueue('--group', 'g', 'true');
  await laptop.run(['wait', id]);
  await laptop.run(['wait', '--group', 'g']);
  for (const args of [
    ['show', id, '--json'],
    ['why', id],
    ['logs', id],
    ['logs', id, '--timestamps'],
    ['logs', id, '--stderr', '--raw'],
    ['logs', id, '--tail', '1'],
    ['list', '--all'],
    ['list', '--json', 'state:dead error:"exit code 4"'],
    ['list'],
    ['dlq', 'list'],
    ['dlq', 'list', '--group-by', 'error', '--json'],
    ['group', 'list'],
    ['group', 'show', 'g', '--json'],
    ['graph', 'group:g'],
    ['queue', 'list', '--json'],
    ['config', 'list', '--json'],
    ['config', 'get', 'max_retries'],
    ['worker', 'list', '--json', '--help'],
    ['activity', '--json'],
  ])
    await expectSame(pair, ...args);
  assert.equal((await laptop.json('status')).dead, (await there.json('status')).dead);
  assert.equal((await laptop.json('metrics')).attempts, (await there.json('metrics')).attempts);
  assert.match(await laptop.text('metrics'), /success rate/);
  assert.match(await laptop.text('metrics', '--since', '1h'), /enqueued/);
  assert.match(await laptop.text('metrics', '--prometheus'), /^# HELP queuectl_jobs /);
  assert.equal((await laptop.json('worker', 'list')).length, 1);
});

test('jobs are changed by IDs and by a filter', async (t) => {
  const { laptop } = await both(t, '--workers', '1');
  const ids = ['c1', 'c2', 'c3'];
  for (const id of ids) await laptop.text('enqueue', '--id', id, '--delay', '1h', '--queue', 'later', 'true');
  assert.equal(await laptop.text('hold', 'c1', 'c2'), 'c1  held\nc2  held\n');
  assert.match(await laptop.rejected(4, ['release', 'c1', 'c3']), /job 'c3' is not held/);
  assert.equal((await laptop.json('show', 'c1')).held, true, 'all or none');
  assert.deepEqual(await laptop.json('release', '--queue', 'later'), { released: 2 });
  await laptop.text('edit', 'c1', '--priority', '5', '--timeout', '10m', '--on-dead', 'echo dead');
  const edited = await laptop.json('show', 'c1');
  assert.deepEqual([edited.priority, edited.timeout_seconds, edited.hooks], [5, 600, { on_dead: 'echo dead' }]);
  await laptop.text('edit', 'c1', '--unset', 'timeout,on-dead');
  assert.deepEqual([(await laptop.json('show', 'c1')).hooks], [{}]);
  await laptop.text('edit', 'c1', '--memory', '64M', '--limits', 'best-effort', '--sandbox', 'strict');
  await laptop.text('edit', 'c1', '--unset', 'sandbox', '--nice', '5');
  const { limits, sandbox } = await laptop.json('show', 'c1');
  assert.deepEqual([limits, sandbox], [{ memory_bytes: 67_108_864, nice: 5, mode: 'best-effort' }, null]);
  await laptop.text('edit', 'c1', '--unset', 'limits');
  assert.match(
    await laptop.text('move', '--filter', 'queue:later', '--queue', 'soon', '--dry-run'),
    /would move 3 jobs/,
  );
  assert.deepEqual(await laptop.json('move', '--filter', 'queue:later', '--queue', 'soon'), { moved: 3 });
  assert.match(await laptop.text('cancel', 'c1'), /c1 {2}cancelled/);
  assert.match(await laptop.text('retry', 'c1'), /c1 {2}pending/);
  assert.match(await laptop.text('wait', 'c1'), /completed/);
  await laptop.text('run-now', 'c2');
  assert.deepEqual(await laptop.json('delete', 'c3', '--yes').then((jobs) => jobs.length), 1);
  await laptop.text('enqueue', '--id', 'p1', '--max-retries', '0', 'false');
  await laptop.run(['wait', 'p1']);
  assert.match(await laptop.text('retry', 'p1', '--failed-only', '--dry-run'), /1 job would run now/);
  await laptop.text('retry', 'p1', '--failed-only');
  await until('it has run again', async () => (await laptop.json('show', 'p1')).history.length === 2);
  const running = await laptop.json('enqueue', 'sleep 300');
  await until('it runs', async () => (await laptop.json('show', running[0].id)).state === 'processing');
  assert.match(await laptop.text('cancel', running[0].id), /cancelled/);
});

test('schedules, queues, settings, users and tokens', async (t) => {
  const pair = await both(t);
  const { there, laptop } = pair;
  assert.match(await laptop.text('schedule', 'add', 'tick', '--every', '1h', 'true'), /tick {2}added {2}every hour/);
  assert.match(await laptop.text('schedule', 'edit', 'tick', '--cron', '0 3 * * *', '--tz', 'UTC'), /at 03:00/);
  await laptop.text('schedule', 'edit', 'tick', '--memory', '64M', '--limits', 'best-effort', 'true');
  await expectSame(pair, 'schedule', 'list');
  await expectSame(pair, 'schedule', 'show', 'tick', '--json');
  assert.match(await laptop.text('schedule', 'run', 'tick'), /enqueued/);
  assert.match(await laptop.text('schedule', 'pause', 'tick'), /paused/);
  assert.match(await laptop.text('schedule', 'remove', 'tick'), /deleted/);
  await laptop.text('queue', 'set', 'mail', '--rate', '100/m', '--on-dead', 'echo x');
  await laptop.text('queue', 'set', 'mail', '--memory', '64M', '--sandbox', 'strict', '--user', 'ann');
  await laptop.text('queue', 'set', 'mail', '--user', 'any');
  await expectSame(pair, 'queue', 'show', 'mail');
  assert.match(await laptop.text('queue', 'pause'), /all queues paused/);
  assert.match(await laptop.text('queue', 'resume'), /all queues resumed/);
  assert.match(await laptop.text('config', 'set', 'max-retries', '7'), /max_retries = 7/);
  assert.equal(await there.text('config', 'get', 'max_retries'), '7\n');
  await laptop.text('config', 'unset', 'max_retries');
  assert.match(await laptop.text('token', 'add', 'ci', '--role', 'viewer'), /^qctl_/);
  await expectSame(pair, 'token', 'list', '--json');
  await laptop.text('token', 'remove', 'ci');
  assert.match(await laptop.rejected(3, ['show', 'nobody']), /job 'nobody' not found/);
  assert.match(await laptop.rejected(2, ['list', 'stat:dead']), /unknown field 'stat'/);
});

test('recipes, secrets, sandboxes and the policy', async (t) => {
  const pair = await both(t);
  const { there, laptop } = pair;
  assert.match(await laptop.text('recipe', 'add', 'say', '--', 'echo', '{what}'), /recipe say added/);
  assert.match(await laptop.rejected(4, ['recipe', 'add', 'say', '--', 'true']), /'say' already exists/);
  await laptop.text('recipe', 'add', 'say', '--replace', '--', 'echo', '{what}', '{n:int=1}');
  await expectSame(pair, 'recipe', 'list', '--json');
  await expectSame(pair, 'recipe', 'show', 'say');
  await laptop.text('enqueue', '--id', 'r1', '--recipe', 'say', '--param', 'what=x');
  assert.deepEqual((await there.json('show', 'r1')).command, ['echo', 'x', '1']);
  assert.match(await laptop.text('recipe', 'remove', 'say'), /recipe say deleted/);
  assert.match(await laptop.rejected(3, ['recipe', 'show', 'say']), /recipe 'say' not found/);
  const set = await laptop.run(['secret', 'set', 'TOK'], 'from-the-laptop\n');
  assert.deepEqual([set.code, set.stdout], [0, 'secret TOK set\n']);
  await expectSame(pair, 'secret', 'list', '--json');
  assert.equal(
    (await there.run(['run', '--secret', 'TOK', 'test "$TOK" = from-the-laptop && echo same'])).stdout,
    'same\n',
  );
  assert.match(await laptop.text('secret', 'remove', 'TOK'), /secret TOK deleted/);
  await laptop.text('sandbox', 'set', 'build', '--network');
  await expectSame(pair, 'sandbox', 'list', '--json');
  await laptop.text('config', 'set', 'policy_programs', 'echo **');
  await expectSame(pair, 'policy', 'show');
  await expectSame(pair, 'policy', 'check', '--', 'echo', 'hi');
  const { code, stdout } = await laptop.run(['policy', 'check', '--', 'rm', '-rf', '/']);
  assert.deepEqual([code, stdout], [1, "rejected: program 'rm' is not allowed\n"]);
});

test('operations that need local access are rejected and change nothing', async (t) => {
  const { here, laptop, server } = await both(t);
  await laptop.text('enqueue', '--id', 'w1', 'true');
  const instead = {
    'worker start': /run the worker next to the database with --db/,
    serve: /run queuectl serve next to the database/,
    init: /already has a queue/,
    doctor: /host of the database/,
    migrate: /queuectl export and queuectl import/,
    demo: /QUEUECTL_SERVER= queuectl demo/,
    mcp: /the HTTP API or the library/,
    reset: /next to the database.*queuectl prune or queuectl delete/,
    'service status': /on the host of the service/,
  };
  for (const [command, hint] of Object.entries(instead)) {
    const rejection = await laptop.rejected(2, command.split(' '));
    assert.match(rejection, new RegExp(`'queuectl ${command}' does not support --server\n hint: `));
    assert.match(rejection, hint);
  }
  const flow = '{"jobs":{"a":{"command":"true"}}}';
  const before = await laptop.json('status');
  for (const words of [['true'], [flow], ['--array', '1-2', 'true']])
    assert.match(await laptop.rejected(2, ['enqueue', '--work', '2', ...words]), /use --wait to wait/);
  assert.equal((await laptop.json('status')).pending, before.pending, 'and nothing was stored');
  assert.match(await laptop.rejected(2, ['enqueue', '--inherit-env', 'true']), /-e NAME copies a variable/);
  assert.match(await laptop.rejected(2, ['enqueue', '--cwd', 'sub', 'true']), /relative/);
  assert.match(
    await laptop.rejected(2, ['list', '--server', server.url, '--db', 'x.db']),
    /--server and --db cannot be combined/,
  );
  assert.match(
    await laptop.rejected(2, ['list'], { QUEUECTL_DB: 'x.db' }),
    /QUEUECTL_SERVER and QUEUECTL_DB cannot be combined/,
  );
  assert.match(
    (await laptop.start(['list', '--db', 'own.db']).ended).stderr,
    /no queue found at '.*own\.db'/,
    'what is typed wins',
  );
  assert.deepEqual(
    here.files().filter((name) => name.startsWith('home')),
    [],
  );
});

test('missing access is reported with the account and the server', async (t) => {
  const { there, here, laptop, server } = await both(t);
  const { url } = server;
  assert.match(
    await laptop.rejected(2, ['list'], { QUEUECTL_TOKEN: undefined }),
    /requires a token\n hint: .*QUEUECTL_TOKEN/,
  );
  assert.match(await laptop.rejected(2, ['list'], { QUEUECTL_TOKEN: 'wrong' }), /rejected the token/);
  assert.match(
    await laptop.rejected(5, ['list', '--server', `http://127.0.0.1:${await freePort()}`]),
    /cannot reach the server .*: connection refused/,
  );
  assert.match(await laptop.rejected(2, ['list', '--server', 'ftp://x']), /is not the address of a server/);
  const viewer = (await there.text('token', 'add', 'looker', '--role', 'viewer')).trim();
  assert.match(
    await laptop.rejected(2, ['enqueue', 'true'], { QUEUECTL_TOKEN: viewer }),
    /requires the role 'enqueuer', but token:looker has the role 'viewer'/,
  );
  const file = here.write('token', `${server.token}\n`);
  fs.chmodSync(file, 0o644);
  const byFile = { QUEUECTL_TOKEN: undefined, QUEUECTL_TOKEN_FILE: file };
  assert.match(await laptop.rejected(2, ['list'], byFile), /other users can read it\n hint: chmod 600/);
  fs.chmodSync(file, 0o600);
  assert.equal((await laptop.start(['list'], byFile).ended).code, 0);
  const asPrinted = { QUEUECTL_SERVER: `${url}/#token=${server.token}`, QUEUECTL_TOKEN: undefined };
  assert.equal((await laptop.start(['list'], asPrinted).ended).code, 0);
});

test('a read-only server is reported as such', async (t) => {
  const { laptop } = await both(t, '--read-only');
  assert.match(await laptop.rejected(2, ['enqueue', 'true']), /\(--read-only\); nothing was changed/);
  assert.equal(await laptop.text('list', '--json'), '[]\n');
});

test('logs -f continues at its position when the server restarts', async (t: TestContext) => {
  const [there, here] = [newQueue(t), newQueue(t)];
  const go = `${there.folder}/go`;
  const worker = await there.worker();
  const first = await serve(there, '--port', '0');
  const laptop = new Laptop(here, first);
  const id = await there.enqueue(`echo one; until [ -e '${go}' ]; do sleep 0.05; done; echo two`);
  const following = laptop.start(['logs', '-f', '--raw', id]);
  await until('the first line is there', () => following.stdout() === 'one\n');
  await first.stop();
  fs.writeFileSync(go, '');
  await there.untilState(id, 'completed');
  const second = await serve(there, '--port', new URL(first.url).port);
  const { code, stdout } = await following.ended;
  assert.deepEqual([code, stdout], [0, 'one\ntwo\n']);
  await second.stop();
  await worker.leave();
});

test('a server that is too old for a command is named with its version', async (t) => {
  const here = newQueue(t);
  const old = createServer(({ url = '' }, response) => {
    const isKnown = url.startsWith('/api/v1/session');
    const problem = { code: 'no_such_route', detail: `path '${url}' not found`, hint: null };
    response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(isKnown ? { version: '0.0.1' } : problem));
  });
  t.after(() => old.close());
  await once(old.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
  const laptop = new Laptop(here, { url, token: 'x' });
  assert.match(await laptop.rejected(5, ['metrics']), /runs queuectl 0\.0\.1, which does not support this command/);
});
