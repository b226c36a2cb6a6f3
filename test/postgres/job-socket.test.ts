// Jobs of a queue on a server with a password: they are not told it, and use the queue through the socket of their worker.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { overHttp } from '../../src/library/http.ts';
import { newHosts } from '../support/hosts.ts';
import { addressWith, ask } from '../support/postgres.ts';
import { until } from '../support/until.ts';

test('a job of a role with a password can do everything a job can, and never sees the password', async (t) => {
  const hosts = await newHosts(t);
  const role = `${hosts.schema}_role`;
  await ask(
    hosts.server,
    `CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'; GRANT USAGE, CREATE ON SCHEMA ${hosts.schema} TO ${role};
     GRANT ALL ON ALL TABLES IN SCHEMA ${hosts.schema} TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA ${hosts.schema} TO ${role}`,
  );
  t.after(() => ask(hosts.server, `DROP OWNED BY ${role}; DROP ROLE ${role}`).then(() => {}));
  const url = new URL(addressWith(hosts.server, { schema: hosts.schema }));
  url.username = role;
  url.password = '';
  const env = { QUEUECTL_DB: url.href, PGPASSWORD: 'hunter2' };
  const enqueue = (...args: string[]) => hosts.cli.run(['enqueue', '--max-retries', '0', ...args], { env });
  fs.writeFileSync(
    hosts.path('script.sh'),
    `set -e
     tr '\\0' '\\n' < /proc/self/environ > environ
     queuectl progress 50 half
     part=$(queuectl enqueue --print-id --name part --group g 'queuectl result set 6; pwd')
     sum=$(queuectl enqueue --print-id --after $part --group g 'queuectl result get part')
     queuectl wait $part $sum
     queuectl logs --raw $sum
     queuectl status --json | grep -c processing
     queuectl list --state completed --json | grep -c '"id"'
     QUEUECTL_DB=./other.db queuectl enqueue --print-id --id elsewhere true
     queuectl --db "$QUEUECTL_DB" list 2>&1 | head -1
     for line in 'worker start' 'config set max_retries 9' 'delete part' 'secret list'; do
       queuectl $line || echo "exit $?"
     done
     queuectl result set 7`,
  );
  assert.equal((await enqueue('--id', 'outer', '--group', 'g', 'sh ./script.sh 2>&1')).stderr, '');
  await hosts.workerWith(env, '--concurrency', '2');
  const outer = await hosts.untilFinal('outer');
  const output = await hosts.output('outer');
  assert.equal(outer.state, 'completed', output);
  assert.deepEqual([outer.result, outer.progress, outer.progressNote], ['7', 50, 'half']);
  const environ = fs.readFileSync(hosts.path('environ'), 'utf8');
  assert.match(environ, /^QUEUECTL_SERVER=unix:\//m);
  assert.match(environ, /^QUEUECTL_TOKEN=qjob_/m);
  assert.doesNotMatch(environ, /hunter2/);
  assert.match(output, /\n6\n\d+\n2\nelsewhere\nerror: .*requires a password/);
  assert.match(output, /'queuectl worker start' does not support --server\n hint: .*\nexit 2/);
  assert.match(
    output,
    /this request requires the role 'admin', but job outer, attempt 1 has the role 'enqueuer'\n.*\nexit 2/,
  );
  assert.match(output, /this request requires the role 'operator', but job outer, attempt 1 has the role/);
  assert.equal((await hosts.job('part')).cwd, hosts.cli.folder, 'it runs where it was enqueued');
});

test('the token of an attempt expires with it, changes for the next attempt, and is subject to the policy', async (t) => {
  const hosts = await newHosts(t, { backoff_base: 0 });
  await (await hosts.host('one')).worker();
  const said = 'echo "$QUEUECTL_SERVER $QUEUECTL_TOKEN" >> ways; until [ -e go ]; do sleep 0.05; done';
  const rejected = 'queuectl enqueue -- /usr/bin/id --secretly';
  await hosts.add({ id: 'twice', command: `${said}; ${rejected}; exit 3`, max_retries: 1, backoff_base: 0 });
  const [line = ''] = await hosts.untilLines('ways', 1);
  const [, server = '', token = ''] = /^(.*) (\S+)$/.exec(line) ?? [];
  const look = async () => {
    const transport = overHttp({ url: server, socket: server.slice('unix:'.length) }, token);
    const response = await transport.send('/api/v1/session', { method: 'GET' });
    return (await response.json()) as { name: string; role: string; code: string };
  };
  const { name, role } = await look();
  assert.deepEqual([name, role], ['job twice, attempt 1', 'enqueuer']);
  await hosts.set({ policy_programs: '/bin/sh **' });
  fs.writeFileSync(hosts.path('go'), '');
  const [, next = ''] = await hosts.untilLines('ways', 2);
  assert.ok(next.startsWith(`${server} qjob_`), 'jobs that nothing keeps apart share a socket');
  assert.ok(!next.endsWith(token), 'each attempt has a token of its own');
  await hosts.untilFinal('twice');
  assert.equal((await look()).code, 'no_such_attempt');
  const entries = await until('it is recorded', async () => {
    const found = await hosts.queue.activity.list(10);
    return found.length >= 2 && found;
  });
  assert.deepEqual(
    entries.map(({ actor, via }) => `${actor} ${via}`),
    ['job twice, attempt 2 http', 'job twice, attempt 1 http'],
  );
  assert.doesNotMatch(JSON.stringify(entries), /secretly|qjob_/);
});
