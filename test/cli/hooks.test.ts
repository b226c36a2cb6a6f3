// Hooks: what the end of a job calls for runs as a job of its own, is tried again, and is seen like any other.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { newReceiver } from '../support/receiver.ts';
import { type Document, newQueue, type TestQueue } from './support.ts';

const hookJobs = async (queue: TestQueue): Promise<Document[]> =>
  (await queue.jobs('--limit', '0')).filter(({ hook_of }) => hook_of !== null);

/** Without waiting between tries, and with webhooks on this machine allowed. */
async function quickly(queue: TestQueue): Promise<TestQueue> {
  await queue.prepare('config', 'set', 'backoff_base', '0');
  await queue.prepare('config', 'set', 'webhook_allow_private', 'on');
  return queue;
}

const outputOf = (queue: TestQueue, id: unknown): Promise<string> => queue.text('logs', '--raw', String(id));

test("a hook runs on the job's result and receives it", async (t) => {
  const queue = newQueue(t);
  const tell =
    'echo "$QUEUECTL_HOOK_EVENT $QUEUECTL_JOB_ID $GREETING"; echo "$QUEUECTL_HOOK_JOB"; echo "$QUEUECTL_HOOK_ID $QUEUECTL_HOOK_JOB_ID"';
  const flags = ['--on-success', tell, '--on-failure', tell, '--on-dead', tell, '-e', 'GREETING=hello'];
  const good = await queue.enqueue(...flags, 'echo fine');
  const bad = await queue.enqueue(...flags, '--max-retries', '0', 'exit 3');
  await queue.drain();
  const outputs: string[] = [];
  for (const { id, state } of await hookJobs(queue)) {
    assert.equal(state, 'completed');
    const output = await outputOf(queue, id);
    const [first, , ids] = output.split('\n');
    assert.equal(ids, `${id} ${first?.split(' ')[1]}`, 'it has its own ID too');
    outputs.push(output);
  }
  const heads = outputs.map((text) => text.split('\n')[0]).sort();
  assert.deepEqual(heads, [`dead ${bad} hello`, `failure ${bad} hello`, `success ${good} hello`].sort());
  const told = JSON.parse(outputs.find((text) => text.startsWith('dead'))?.split('\n')[1] ?? '');
  assert.deepEqual([told.id, told.state, told.exit_code, told.env], [bad, 'dead', 3, { GREETING: '***' }]);
  assert.deepEqual((await queue.show(good)).hooks, { on_success: tell, on_failure: tell, on_dead: tell });
});

test('cancelling a job runs its hook without waiting for a worker', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueue('--on-failure', 'echo oh', 'true');
  await queue.text('cancel', id);
  const [hook, ...rest] = await hookJobs(queue);
  assert.deepEqual([hook?.hook_of, hook?.state, rest.length], [id, 'pending', 0]);
});

test('a webhook sends the job, a signature, and the same ID on every attempt', async (t) => {
  const queue = await quickly(newQueue(t));
  const receiver = await newReceiver(t, (before) => ({ status: before === 0 ? 503 : 204 }));
  await queue.text('config', 'set', 'webhook_secret', 'tell nobody');
  const id = await queue.enqueue('--on-success', receiver.address, '-e', 'KEY=secret-value', 'true');
  await queue.drain();
  assert.equal(receiver.received.length, 2);
  for (const { method, path, headers, body } of receiver.received) {
    assert.deepEqual([method, path], ['POST', '/hook']);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['queuectl-event'], 'success');
    assert.equal(headers['queuectl-delivery'], `${id}:success:1`);
    const signed = `${headers['queuectl-timestamp']}.${body}`;
    const expected = createHmac('sha256', 'tell nobody').update(signed).digest('hex');
    assert.equal(headers['queuectl-signature'], `sha256=${expected}`);
    const { event, delivery, database, job } = JSON.parse(body);
    assert.deepEqual([event, delivery], ['success', `${id}:success:1`]);
    assert.equal(typeof database, 'string');
    assert.deepEqual([job.id, job.state, job.command, job.env], [id, 'completed', 'true', { KEY: '***' }]);
    assert.ok(!body.includes('secret-value'));
  }
  const [hook] = await hookJobs(queue);
  assert.deepEqual([hook?.state, hook?.attempts], ['completed', 2]);
});

test('a webhook that keeps failing is a dead job with the last response', async (t) => {
  const queue = await quickly(newQueue(t));
  const receiver = await newReceiver(t, () => ({ status: 500, body: `${'x'.repeat(5000)}\n` }));
  await queue.prepare('config', 'set', 'max_retries', '1');
  await queue.prepare('config', 'set', 'on_dead', receiver.address);
  await queue.enqueue('--max-retries', '0', 'false');
  await queue.drain();
  assert.equal(receiver.received.length, 2);
  const [hook, ...rest] = await hookJobs(queue);
  assert.equal(rest.length, 0, 'a dead hook calls for none');
  assert.deepEqual([hook?.state, hook?.last_error], ['dead', 'exit code 1: returned 500 Internal Server Error']);
  const once = `${'x'.repeat(1024)}\nreturned 500 Internal Server Error\n`;
  assert.equal(await outputOf(queue, hook?.id), once + once);
});

test('without a secret there is no signature', async (t) => {
  const queue = await quickly(newQueue(t));
  const receiver = await newReceiver(t);
  await queue.enqueue('--on-success', receiver.address, 'true');
  await queue.drain();
  assert.equal(receiver.received[0]?.headers['queuectl-signature'], undefined);
});

const ON_THIS_MACHINE = [
  '127.0.0.1', 'localhost', 'a.localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '10.0.0.1',
]; // biome-ignore format: a list of names

const FORBIDDEN = /webhooks to .* are not allowed.* webhook_allow_private on/s;

test('a forbidden address is rejected wherever it is set', async (t) => {
  const queue = newQueue(t);
  const waiting = await queue.enqueue('--group', 'g', 'true');
  for (const name of ON_THIS_MACHINE)
    assert.match(await queue.rejected(2, ['enqueue', '--on-success', `http://${name}:8080/`, 'true']), FORBIDDEN);
  const address = 'http://localhost:8080/';
  assert.match(await queue.rejected(2, ['enqueue', '--group', 'h', '--group-on-dead', address, 'true']), FORBIDDEN);
  assert.match(await queue.rejected(2, ['edit', waiting, '--on-dead', address]), FORBIDDEN);
  assert.match(await queue.rejected(2, ['queue', 'set', 'mail', '--on-dead', address]), FORBIDDEN);
  assert.match(
    await queue.rejected(2, ['schedule', 'add', 's', '--every', '1h', '--on-dead', address, 'true']),
    FORBIDDEN,
  );
  assert.match(await queue.rejected(2, ['config', 'set', 'on_dead', address]), FORBIDDEN);
  assert.equal((await queue.jobs()).length, 1);
  await queue.prepare('config', 'set', 'webhook_allow_private', 'on');
  await queue.enqueue('--on-success', address, 'true');
});

test('a delivery checks the resolved address again', async (t) => {
  const queue = await quickly(newQueue(t));
  const receiver = await newReceiver(t);
  await queue.prepare('config', 'set', 'max_retries', '0');
  const names = ON_THIS_MACHINE.filter((name) => name !== 'a.localhost');
  for (const name of names) await queue.enqueue('--on-success', `http://${name}:${receiver.port}/`, 'true');
  await queue.prepare('config', 'set', 'webhook_allow_private', 'off');
  await queue.drain();
  const hooks = await hookJobs(queue);
  assert.equal(hooks.length, names.length);
  for (const { state, last_error, command } of hooks) {
    assert.equal(state, 'dead');
    assert.match(String(last_error), /not delivered: .* a private or local address/);
    assert.deepEqual((command as string[]).slice(0, 2), ['webhook', 'POST']);
  }
  assert.match(await queue.text('list'), /webhook POST http:\/\/127\.0\.0\.1/);
  assert.deepEqual(receiver.received, []);
});

test('a redirect is never followed', async (t) => {
  const queue = await quickly(newQueue(t));
  const inner = await newReceiver(t);
  const outer = await newReceiver(t, () => ({ status: 307, headers: { location: inner.address } }));
  await queue.prepare('config', 'set', 'max_retries', '0');
  await queue.enqueue('--on-success', outer.address, 'true');
  await queue.drain();
  assert.deepEqual([outer.received.length, inner.received.length], [1, 0]);
  const [hook] = await hookJobs(queue);
  assert.match(String(hook?.last_error), /returned 307 .*redirects are not followed \(to http:\/\/127/);
});

test('a worker delivers with its own program, whatever the PATH', async (t) => {
  const queue = await quickly(newQueue(t));
  const receiver = await newReceiver(t);
  await queue.enqueue('--on-success', receiver.address, 'true');
  const { code, stderr } = await queue.run(['worker', 'run', '--drain'], {
    env: { PATH: '/usr/bin:/bin' },
  });
  assert.equal(code, 0, stderr);
  assert.equal(receiver.received.length, 1);
});

test('the hook of a group runs once when all its jobs are finished', async (t) => {
  const queue = newQueue(t);
  const flags = ['--group', 'g', '--group-on-success', 'echo "$QUEUECTL_HOOK_GROUP $QUEUECTL_HOOK_JOB"'];
  for (const command of ['true', 'echo 2', 'echo 3']) await queue.enqueue(...flags, command);
  await queue.drain();
  const [hook, ...rest] = await hookJobs(queue);
  assert.equal(rest.length, 0);
  assert.equal(hook?.hook_of, 'group:g');
  const [name, ...json] = (await outputOf(queue, hook?.id)).split(' ');
  assert.deepEqual([name, JSON.parse(json.join(' ')).jobs.completed], ['g', 3]);
});

test('the hooks of a queue run for every job and survive the removal of its limits', async (t) => {
  const queue = newQueue(t);
  await queue.text('queue', 'set', 'mail', '--on-success', 'echo one', '--on-dead', 'echo dead');
  await queue.text('queue', 'set', 'mail', '--on-success', 'echo mail', '--concurrency', '2');
  await queue.text('queue', 'set', 'mail', '--concurrency', 'none', '--on-dead', 'none');
  const { hooks, concurrency } = await queue.json('queue', 'show', 'mail');
  assert.deepEqual([hooks, concurrency], [{ on_success: 'echo mail' }, null]);
  await queue.enqueue('--queue', 'mail', 'true');
  await queue.enqueue('true');
  await queue.drain();
  assert.deepEqual(
    (await hookJobs(queue)).map((job) => [job.queue, job.command]),
    [['mail', 'echo mail']],
  );
  await queue.rejected(2, ['queue', 'set', 'mail', '--on-dead', 'ftp://example.com/']);
  await queue.rejected(2, ['queue', 'set', 'mail']);
});

test('the secret is never shown', async (t) => {
  const queue = newQueue(t);
  const shown = [
    await queue.text('config', 'set', 'webhook_secret', 'tell nobody'),
    await queue.text('config', 'list'),
    await queue.text('config', 'list', '--json'),
    await queue.text('config', 'get', 'webhook_secret'),
    await queue.text('config', 'get', '--json'),
    await queue.text('config', 'set', 'webhook_secret', 'tell nobody', '--json'),
  ].join('\n');
  assert.ok(!shown.includes('tell nobody'), shown);
  assert.match(shown, /webhook_secret = \*\*\*/);
});

test('an invalid hook is rejected, and nothing is enqueued', async (t) => {
  const queue = newQueue(t);
  for (const address of ['file:///etc/passwd', 'ftp://example.com/', 'https://me:pass@example.com/', 'http://']) {
    await queue.rejected(2, ['enqueue', '--on-dead', address, 'true']);
    await queue.rejected(2, ['enqueue', JSON.stringify({ command: 'true', hooks: { on_dead: address } })]);
    await queue.rejected(2, ['config', 'set', 'on_dead', address]);
  }
  const sentence = await queue.rejected(2, ['enqueue', '--on-dead', 'ftp://example.com/', 'true']);
  assert.match(sentence, /'on_dead': unsupported webhook scheme 'ftp:\/\/'\n hint: .*https:\/\//);
  assert.match(
    await queue.rejected(2, ['status'], { env: { QUEUECTL_ON_DEAD: 'echo' } }),
    /applies to every user of the queue\n hint: .*config set on_dead/,
  );
  assert.equal(await queue.count(), 0);
});
