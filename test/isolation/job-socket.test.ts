// A sandboxed job, or a job of another user, uses its queue through its worker's socket: it sees and creates only its
// own jobs, and no other process has access.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { overHttp } from '../../src/library/http.ts';
import type { NewJobFields } from '../../src/job/input/new-job-input.ts';
import { QUEUECTL } from '../cli/support.ts';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { newSandboxes, type Sandboxes } from './sandboxes.ts';

const isRoot = process.getuid?.() === 0;
const OTHER = os.userInfo().username === 'nobody' ? 'daemon' : 'nobody';
const PROGRAM = path.dirname(path.dirname(fs.realpathSync(QUEUECTL)));

let boxes: Sandboxes;
const ends: (() => void | Promise<void>)[] = [];
before(async () => {
  boxes = await newSandboxes({ after: (end) => ends.push(end) });
  // Like `strict`, without network access, but with the program under test.
  await boxes.fleet.set({ sandbox_profiles: JSON.stringify({ tools: { readonly: ['{system}', PROGRAM] } }) });
});
after(async () => {
  for (const end of ends) await end();
});

const run = (command: string, said: Omit<NewJobFields, 'command' | 'cmd'> = {}) =>
  boxes.run(command, { sandbox: 'tools', ...said });

interface Way {
  readonly server: string;
  readonly token: string;
}

/** Test directories have spaces in their names. */
function wayIn(line: string): Way {
  const at = line.lastIndexOf(' ');
  return { server: line.slice(0, at), token: line.slice(at + 1) };
}

/**
 * Starts a job that runs until it is released, and returns its access to the queue; null if sandboxes are unavailable.
 */
async function holding(id: string, said: object = {}): Promise<(Way & { release(): Promise<void> }) | null> {
  if (!boxes.canBeMade) return null;
  const [way, go] = [path.join(boxes.work, `${id}.way`), path.join(boxes.work, `${id}.go`)];
  const command = `echo "$QUEUECTL_SERVER $QUEUECTL_TOKEN" > ${id}.new; mv ${id}.new ${id}.way; until [ -e ${id}.go ]; do sleep 0.05; done`;
  await boxes.fleet.add({ id, command, cwd: boxes.work, sandbox: 'tools', max_retries: 0, ...said });
  const text = await until('it has started', () => fs.existsSync(way) && fs.readFileSync(way, 'utf8'));
  const { server, token } = wayIn(text.trim());
  const release = async (): Promise<void> => {
    fs.writeFileSync(go, '');
    await boxes.fleet.untilFinal(id);
  };
  return { server, token, release };
}

async function ask({ server, token }: Way, method: string, route: string, body?: unknown) {
  const transport = overHttp({ url: server, socket: server.slice('unix:'.length) }, token);
  const response = await transport.send(`/api/v1${route}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, answer: text === '' ? null : JSON.parse(text) };
}

describe('a job in a sandbox', () => {
  test('enqueues, waits and reads the result, and its children have the same isolation', async () => {
    const ended = await run(
      `id=$(queuectl enqueue --print-id --name part 'queuectl result set 42') &&
       queuectl wait $id && queuectl result get $id && echo $id > child`,
      { id: 'maker', limits: { nice: 5 } },
    );
    if (ended === null) return;
    assert.equal(ended.job.state, 'completed', ended.output);
    assert.match(ended.output, /completed\n42$/);
    const child = await boxes.fleet.job(fs.readFileSync(path.join(boxes.work, 'child'), 'utf8').trim());
    assert.equal(child.cwd, boxes.work);
    assert.deepEqual(child.confinement, { sandbox: 'tools', limits: { nice: 5 } });
  });

  test('runs a job and sees its output like any user', async () => {
    const many = "printf 'true\\ntrue\\n' | queuectl enqueue - --lines --print-id | wc -l";
    const ended = await run(`queuectl run 'echo from the child'; ${many}`);
    assert.match(ended?.output ?? 'from the child\n2', /^from the child\n *2$/);
  });

  test('has a token that is never shown', async () => {
    const ended = await run('echo "<$QUEUECTL_TOKEN>" "$QUEUECTL_SERVER"; printf %s "$QUEUECTL_TOKEN" > token', {
      id: 'teller',
    });
    if (ended === null) return;
    const token = fs.readFileSync(path.join(boxes.work, 'token'), 'utf8');
    assert.match(token, /^qjob_[\w-]{43}\.\w+$/);
    assert.match(ended.output, /^<\*\*\*> unix:\//);
    const shown = [
      await boxes.fleet.cli.text('show', 'teller', '--json'),
      await boxes.fleet.cli.text('logs', 'teller'),
      await boxes.fleet.cli.text('activity', '--json'),
    ];
    assert.ok(!shown.join('').includes(token.slice(5, 30)));
    const socket = ended.output.split('unix:')[1] ?? '';
    assert.ok(!fs.existsSync(socket), 'its socket has gone with it');
  });

  test('sees only its own jobs', async () => {
    await boxes.fleet.add({ id: 'theirs', command: 'echo secret', cwd: '/', delay_seconds: 3600 });
    const own = await holding('own', { group: 'mine' });
    if (own === null) return;
    await boxes.fleet.add({ id: 'sibling', command: 'true', cwd: '/', delay_seconds: 3600, group: 'mine' });
    assert.equal((await ask(own, 'GET', '/jobs/own')).status, 200);
    assert.equal((await ask(own, 'GET', '/jobs/sibling')).status, 200);
    for (const route of ['/jobs/theirs', '/jobs/thei', '/jobs/theirs/attempts', '/jobs/theirs/output'])
      assert.equal((await ask(own, 'GET', route)).answer.code, 'job_not_found', route);
    const listening = await ask(own, 'GET', '/events?topics=job:own,job:theirs');
    assert.equal(listening.answer.code, 'job_not_found');
    const dependent = { command: 'true', depends_on: ['theirs'] };
    assert.equal((await ask(own, 'POST', '/jobs', dependent)).answer.code, 'job_not_found');
    await own.release();
  });

  test('may only enqueue and read', async () => {
    const own = await holding('bounded');
    if (own === null) return;
    const denied: [string, string, unknown?][] = [
      ...(['/jobs', '/jobs/count', '/stats', '/settings', '/activity', '/queues', '/groups'] as const).map(
        (route): [string, string] => ['GET', route],
      ),
      ...(['/recipes', '/schedules', '/events', '/users', '/tokens'] as const).map((route): [string, string] => [
        'GET',
        route,
      ]),
      ['PUT', '/settings/max_retries', { value: 9 }],
      ['DELETE', '/jobs/bounded'],
      ['POST', '/jobs/bounded/cancel'],
      ['POST', '/session', { token: own.token }],
      ['POST', '/jobs', { command: 'id', sandbox: 'none' }],
    ];
    for (const [method, route, body] of denied) {
      const { status, answer } = await ask(own, method, route, body);
      assert.equal(status, 403, `${method} ${route}: ${JSON.stringify(answer)}`);
      assert.ok(['not_for_jobs', 'not_allowed'].includes(answer.code), `${method} ${route}: ${answer.code}`);
    }
    const { workers } = (await ask(own, 'GET', '/workers')).answer;
    assert.deepEqual(workers[0].running, ['bounded']);
    await own.release();
  });

  test('authenticates with its own token at its own socket while it runs', async () => {
    const [one, other] = [await holding('one'), await holding('another')];
    if (one === null || other === null) return;
    const foreign = { server: other.server, token: one.token };
    for (const way of [foreign, { ...one, token: 'qjob_guess.1' }, { ...one, token: '' }])
      assert.equal((await ask(way, 'GET', '/jobs/one')).answer.code, 'no_such_attempt');
    await one.release();
    await assert.rejects(ask(one, 'GET', '/jobs/one'), /is deleted with its attempt/);
    assert.equal((await ask(foreign, 'GET', '/jobs/one')).answer.code, 'no_such_attempt');
    await other.release();
  });

  test('cannot block its worker by floods, endless bodies or unfinished requests', async () => {
    const own = await holding('flood');
    if (own === null) return;
    const file = own.server.slice('unix:'.length);
    const sockets = Array.from({ length: 300 }, () => net.connect(file).on('error', () => {}));
    for (const socket of sockets) socket.write('POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\n');
    const ended = sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    await Promise.race(ended); // excess connections are closed
    for (const socket of sockets) socket.destroy();
    await Promise.all(ended);
    const large = { command: 'true', env: { X: 'x'.repeat(100_000_000) } };
    const rejected = await until('it is answered again', () =>
      ask(own, 'POST', '/jobs', large).then(
        ({ status }) => status,
        (error: Error) => /lost|EPIPE|hang up|reset/i.test(error.message) && 413,
      ),
    );
    assert.equal(rejected, 413);
    assert.equal((await ask(own, 'GET', '/jobs/flood')).status, 200);
    await boxes.fleet.add({ id: 'beside', command: 'true', cwd: '/' });
    assert.equal((await boxes.fleet.untilFinal('beside')).state, 'completed');
    await own.release();
  });
});

test('a killed worker leaves no socket behind, and its job gets a new token', async (t) => {
  const fleet = await newFleet(t);
  if (!boxes.canBeMade) return;
  const first = await fleet.worker();
  const command = 'echo "$QUEUECTL_SERVER $QUEUECTL_TOKEN" >> ways; test $(wc -l < ways) = 2 || sleep 60';
  fs.mkdirSync(fleet.path('work'));
  await fleet.add({ id: 'lost', command, cwd: fleet.path('work'), sandbox: 'strict' });
  const [was = ''] = await fleet.untilLines('work/ways', 1);
  process.kill(first.pid, 'SIGKILL');
  await fleet.worker();
  assert.equal((await fleet.untilFinal('lost')).state, 'completed');
  const [, is = ''] = fleet.lines('work/ways');
  const [old, fresh] = [wayIn(was), wayIn(is)];
  assert.notEqual(old.server, fresh.server);
  assert.notEqual(old.token, fresh.token);
  await until('the old socket is gone', () => !fs.existsSync(old.server.slice('unix:'.length)));
});

describe('a job of another user', () => {
  test('enqueues as that user, who cannot open the database', async (t) => {
    const fleet = await newFleet(t);
    await fleet.worker('--concurrency', '2');
    const open = { cwd: '/', max_retries: 0, user: OTHER };
    const command = `queuectl --db "$QUEUECTL_DB" list 2>&1 | head -1; id=$(queuectl enqueue --print-id 'id -un') && queuectl wait $id >&2; queuectl logs --raw $id; queuectl enqueue --user root id; queuectl list`;
    await fleet.add({ ...open, id: 'other', command });
    const job = await fleet.untilFinal('other');
    const [attempt] = await fleet.history('other');
    if (!isRoot)
      return assert.match(String(attempt?.error), /only a worker running as root can run jobs as another user/);
    const output = await fleet.output('other');
    assert.match(output, /^error: .*\n(.*\n)*nobody\n/, output);
    assert.match(output, /a new job inherits the user of its creator and cannot use 'root'/);
    assert.match(output, /only sees its own jobs/);
    assert.equal(job.state, 'dead', 'its last command was rejected');
    assert.equal(await fleet.count('completed'), 1);
  });

  test('who owns the database opens it directly', async (t) => {
    const fleet = await newFleet(t);
    const command = 'echo "<$QUEUECTL_SERVER>"';
    if (!isRoot) {
      await fleet.worker();
      await fleet.add({ id: 'owner', command, cwd: '/', user: OTHER, max_retries: 0 });
      await fleet.untilFinal('owner');
      return assert.match(String((await fleet.history('owner'))[0]?.error), /only a worker running as root/);
    }
    for (const file of fs.readdirSync(fleet.cli.home, { recursive: true, encoding: 'utf8' }))
      fs.chownSync(path.join(fleet.cli.home, file), 65_534, 65_534);
    fs.chownSync(fleet.cli.home, 65_534, 65_534);
    await fleet.worker();
    await fleet.add({ id: 'owner', command, cwd: '/', user: 'nobody' });
    await fleet.untilFinal('owner');
    assert.equal(await fleet.output('owner'), '<>');
  });
});

test('a job that can open the database gets no socket', async (t) => {
  const fleet = await newFleet(t);
  await fleet.worker();
  await fleet.add({ id: 'plain', command: 'echo "<$QUEUECTL_SERVER$QUEUECTL_TOKEN>"' });
  await fleet.untilFinal('plain');
  assert.equal(await fleet.output('plain'), '<>');
});
