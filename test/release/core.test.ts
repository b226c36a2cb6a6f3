// What every way to install queuectl must be able to do, as a user does it: with the program itself, for each of its
// processes and parts. `npm test -- --program executable` runs these tests with the executable.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { newQueue, QUEUECTL, type TestQueue } from '../cli/support.ts';
import { whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';
import { isAlive } from '../support/fleet.ts';
import { isExecutable } from '../support/program.ts';
import { newReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** Runs all jobs. Every command here is a process, as `queue.run` would call some of them as functions. */
async function drain(queue: TestQueue): Promise<void> {
  const { code, stderr } = await queue.start(['worker', 'run', '--drain']).ended;
  assert.equal(code, 0, stderr);
}

async function printed(queue: TestQueue, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await queue.start(args).ended;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
  return stdout;
}

test('a job is enqueued, runs, and can be looked at', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueueAsProgram('--tag', 'core', "echo hello; echo 'an error' >&2");
  assert.equal(JSON.parse(await printed(queue, 'status', '--json')).pending, 1);
  await drain(queue);
  const [job] = JSON.parse(await printed(queue, 'list', '--tag', 'core', '--json'));
  assert.deepEqual([job.id, job.state], [id, 'completed']);
  assert.equal(await printed(queue, 'logs', '--raw', id), 'hello\nan error\n');
  assert.match(await printed(queue, 'show', id), /completed/);
});

test('run prints the output of a job and returns its exit code', async (t) => {
  const queue = newQueue(t);
  const { code, stdout } = await queue.start(['run', '--', 'sh', '-c', 'echo "$0"; exit 3', 'a  b']).ended;
  assert.deepEqual({ code, stdout }, { code: 3, stdout: 'a  b\n' });
});

test('another worker repeats the job of a background worker that was killed', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueueAsProgram('echo $$ >> pids; [ -e go ] || sleep 600');
  const [first] = JSON.parse(await printed(queue, 'worker', 'start', '--json'));
  const pids = (): number[] => fs.readFileSync(path.join(queue.folder, 'pids'), 'utf8').trim().split('\n').map(Number);
  await until('the job runs', () => queue.files().includes('pids') && pids()[0]);
  process.kill(first.pid, 'SIGKILL');
  queue.write('go', '');
  await printed(queue, 'worker', 'start', '--json');
  const { state, interruptions } = await queue.untilState(id, 'completed');
  assert.deepEqual([state, interruptions, pids().length], ['completed', 1, 2]);
  assert.ok(!isAlive(pids()[0] ?? 0), 'the first process was stopped');
  await printed(queue, 'worker', 'stop', '--json');
});

test('jobs use queuectl', async (t) => {
  const queue = newQueue(t);
  const command =
    "queuectl progress 50; queuectl result set '{\"a\":1}'; queuectl enqueue --id child 'echo from a job'";
  await queue.enqueueAsProgram('--id', 'parent', command);
  await drain(queue);
  assert.deepEqual((await queue.show('parent')).result, { a: 1 });
  assert.equal(await queue.text('logs', '--raw', 'child'), 'from a job\n');
});

test('workflows and webhooks run', async (t) => {
  const queue = newQueue(t);
  const receiver = await newReceiver(t);
  await queue.prepare('config', 'set', 'webhook_allow_private', 'on');
  queue.write(
    'flow.yaml',
    `jobs:\n  first: echo 1 >> order\n  second: { command: echo 2 >> order, depends_on: first }\n`,
  );
  await printed(queue, 'enqueue', '@flow.yaml');
  await queue.enqueueAsProgram('--on-success', receiver.address, 'true');
  await drain(queue);
  assert.equal(fs.readFileSync(path.join(queue.folder, 'order'), 'utf8'), '1\n2\n');
  assert.match(receiver.received[0]?.body ?? '', /"state":"completed"/);
});

test('the server offers the dashboard and the API, which the command line uses too', async (t) => {
  const queue = newQueue(t);
  const server = queue.start(['serve', '--port', '0', '--json']);
  t.after(() => server.kill('SIGKILL'));
  const { url, address } = JSON.parse(await until('the server is ready', () => server.stdout()));
  const token = address.split('/#token=')[1];
  const page = await (await fetch(`${url}/`)).text();
  const [script = ''] = /assets\/page-\w+\.js/.exec(page) ?? [];
  assert.match(await (await fetch(`${url}/${script}`)).text(), /\bdocument\b/);
  const env = { QUEUECTL_SERVER: url, QUEUECTL_TOKEN: token };
  assert.equal(
    (await queue.start(['enqueue', '--print-id', '--id', 'remote', 'true'], { env }).ended).stdout,
    'remote\n',
  );
  const headers = { authorization: `Bearer ${token}` };
  const job = (await (await fetch(`${url}/api/v1/jobs/remote`, { headers })).json()) as { state: string };
  assert.equal(job.state, 'pending');
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
});

test('agents enqueue jobs over MCP', async (t) => {
  const queue = newQueue(t);
  const message = (id: number, method: string, params: unknown): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const input =
    message(1, 'initialize', client) +
    message(2, 'tools/call', { name: 'enqueue_jobs', arguments: { jobs: [{ command: 'true' }] } });
  const { stdout } = await queue.start(['mcp'], { input }).ended;
  assert.match(stdout, /"serverInfo":\{"name":"queuectl"/);
  assert.equal(await queue.count(), 1, stdout);
});

test('a sandboxed job uses queuectl, or is rejected if sandboxes are not available', async (t) => {
  const queue = newQueue(t);
  const readonly = ['{system}', path.dirname(QUEUECTL), ...(isExecutable() ? [] : filesOfProgram())];
  await queue.prepare('config', 'set', 'sandbox_profiles', JSON.stringify({ tools: { readonly } }));
  const work = path.join(queue.folder, 'work');
  fs.mkdirSync(work);
  const args = ['run', '--sandbox', 'tools', '--cwd', work, 'queuectl enqueue --print-id --id child true'];
  const { code, stdout, stderr } = await queue.start(args).ended;
  if (await whyNoSandbox()) assert.match(stderr, /requires a sandbox, but/);
  else assert.deepEqual({ code, stdout }, { code: 0, stdout: 'child\n' }, stderr);
});

const filesOfProgram = (): string[] => [
  path.dirname(path.dirname(fs.realpathSync(QUEUECTL))),
  fs.realpathSync(process.execPath),
];

test('bash completes commands', async (t) => {
  const script =
    'eval "$(queuectl completions bash)"; COMP_LINE="queuectl enq" COMP_POINT=12; _queuectl queuectl; echo "$COMPREPLY"';
  const { stdout } = await newQueue(t).sh(`bash --norc -c '${script}' bash`);
  assert.equal(stdout, 'enqueue\n');
});

test('manual pages, the plan of a service and the health check work', async (t) => {
  const queue = newQueue(t);
  assert.match(await printed(queue, 'help', 'settings'), /QUEUECTL/);
  assert.match(await printed(queue, 'doctor'), /all checks passed/);
  const unit = (await queue.start(['service', 'install', 'worker', '--dry-run']).ended).stdout;
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  assert.match(command, /worker/);
});
