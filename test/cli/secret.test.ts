// queuectl secret: a job is given it, and nobody else gets to see it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';

/** Nothing else that is written anywhere has this in it. */
const VALUE = 'Zq7-"hörse+Battery/9x';
const PART = 'Zq7-';

async function withSecret(t: TestContext): Promise<TestQueue> {
  const queue = newQueue(t);
  const set = await queue.run(['secret', 'set', 'TOK'], { input: `${VALUE}\n` });
  assert.deepEqual([set.code, set.stdout, set.stderr], [0, 'secret TOK set\n', '']);
  return queue;
}

/** All that is kept of the queue on this machine. */
function expectNowhere(queue: TestQueue, value = PART): void {
  for (const name of queue.files()) {
    const file = path.join(queue.folder, name);
    if (fs.statSync(file).isFile()) assert.ok(!fs.readFileSync(file).includes(value), `${name} has it`);
  }
}

suite('secrets', { concurrency: 2 }, () => {
  test('a secret that a job prints or stores is never kept or shown', async (t) => {
    const queue = await withSecret(t);
    const script = queue.write(
      'job.sh',
      `
      test "$(printf %s "$TOK" | wc -c)" = ${Buffer.byteLength(VALUE)} || exit 9
      echo "plain $TOK"; echo "err $TOK" >&2
      printf "split %.9s" "$TOK"; sleep 0.1; printf "%s\\n" "\${TOK#?????????}"
      printf %s "$TOK" | base64 -w0; echo
      echo "::progress 40 at $TOK" ; queuectl progress 50 "now $TOK"
      printf '{"t":"%s"}' "$(printf %s "$TOK" | sed 's/"/\\\\"/g')" | queuectl result set -
      echo "failing with $TOK"; exit 3
      `,
    );
    for (const [id, ...more] of [['merged'], ['apart', '--split-output']])
      await queue.enqueue('--id', id as string, '--max-retries', '0', '--secret', 'TOK', ...more, '--', 'sh', script);
    await queue.drain();
    for (const id of ['merged', 'apart']) {
      const job = await queue.json('show', id, '--show-env');
      assert.deepEqual([job.state, job.exit_code, job.last_error], ['dead', 3, 'exit code 3: failing with ***']);
      assert.deepEqual([job.progress, job.progress_note], [50, 'now ***']);
      assert.deepEqual([job.result, job.secrets], [{ t: '***' }, ['TOK']]);
      const output = await queue.text('logs', id, '--raw');
      const inOrder = output.replace('split err ***\n', 'err ***\nsplit '); // two streams have no order
      for (const line of ['plain ***\n', 'err ***\n', 'split ***\n', 'failing with ***\n'])
        assert.ok(inOrder.includes(line), output);
      assert.ok(!output.includes(Buffer.from(VALUE).toString('base64').slice(0, 12)), output);
      assert.match(await queue.text('show', id), /secret TOK/);
    }
    const live = await queue.run(['run', '--secret', 'TOK=PW', 'echo "live $PW"; echo "it is $PW" >&2']);
    assert.deepEqual([live.stdout, live.stderr], ['live ***\n', 'it is ***\n']);
    const file = path.join(queue.folder, 'export');
    assert.match((await queue.run(['export', '--all', file])).stderr, /1 secret/);
    assert.match(fs.readFileSync(file, 'utf8'), /\\"name\\":\\"TOK\\"/, 'names travel');
    const lists = ['secret list', 'list', 'activity', 'status', 'dlq list', 'config list'];
    for (const line of lists) assert.ok(!(await queue.text(...line.split(' '), '--json')).includes(PART), line);
    expectNowhere(queue);
  });

  test('a secret in a file is readable only by the job, and deleted when it finishes', async (t) => {
    const queue = newQueue(t);
    const key = '-----BEGIN KEY-----\nabcdefgh\n-----END KEY-----\n';
    await queue.run(['secret', 'set', 'KEY'], { input: key });
    const script =
      'stat -c %a "$KEY_FILE" "$(dirname "$KEY_FILE")"; wc -c < "$KEY_FILE"; cat "$KEY_FILE"; echo "$KEY_FILE" > path';
    const { stdout } = await queue.run(['run', '--secret', 'KEY:file', script]);
    assert.equal(stdout, `600\n700\n${key.length}\n***\n`);
    assert.ok(!fs.existsSync(fs.readFileSync(path.join(queue.folder, 'path'), 'utf8').trim()));
  });

  test('the secret file of a killed worker is deleted by the next worker', async (t) => {
    const queue = await withSecret(t);
    await queue.enqueue('--id', 'a', '--secret', 'TOK:file=F', 'echo "$F" > path; exec sleep 600');
    const worker = await queue.worker();
    const where = path.join(queue.folder, 'path');
    const file = await until('it has its secret', () => fs.existsSync(where) && fs.readFileSync(where, 'utf8').trim());
    assert.equal(fs.readFileSync(file, 'utf8'), VALUE);
    worker.kill('SIGKILL');
    await worker.ended;
    const next = await queue.worker();
    await until('it is removed', () => !fs.existsSync(file), 30_000);
    await queue.prepare('cancel', 'a');
    await next.leave();
  });

  test('an unknown secret is rejected at enqueue, and at the start of a job whose secret was deleted', async (t) => {
    const queue = await withSecret(t);
    assert.match(await queue.rejected(3, ['enqueue', '--secret', 'TOCK', 'true']), /did you mean 'TOK'/);
    assert.match(
      await queue.rejected(3, ['schedule', 'add', 's', '--every', '1h', '--secret', 'NO', 'true']),
      /secret 'NO' not found/,
    );
    for (const use of ['a-b', 'TOK:dir', 'TOK=', 'TOK=QUEUECTL_DB', ''])
      await queue.rejected(2, ['enqueue', '--secret', use, 'true']);
    await queue.enqueue('--id', 'a', '--max-retries', '0', '--secret', 'TOK', 'touch trace');
    await queue.enqueue('--id', 'b', 'true');
    await queue.text('secret', 'remove', 'TOK');
    await queue.drain();
    const { state, last_error } = await queue.show('a');
    assert.deepEqual([state, (await queue.show('b')).state], ['dead', 'completed']);
    assert.match(
      String(last_error),
      /^could not start: secret 'TOK' not found; set the secret: queuectl secret set TOK$/,
    );
    assert.ok(!queue.files().includes('trace'));
  });

  test('without the key the job does not run, and the error names the remedy', async (t) => {
    const queue = await withSecret(t);
    await queue.enqueue('--id', 'a', '--max-retries', '0', '--secret', 'TOK', 'touch trace');
    const env = { QUEUECTL_SECRET_KEY_FILE: path.join(queue.folder, 'elsewhere') };
    assert.equal((await queue.run(['worker', 'run', '--drain'], { env })).code, 0);
    assert.match(String((await queue.show('a')).last_error), /elsewhere': file not found; copy the key file/);
    const [key] = queue.files().filter((name) => name.endsWith('secret-key'));
    fs.copyFileSync(path.join(queue.folder, key as string), env.QUEUECTL_SECRET_KEY_FILE);
    await queue.text('retry', 'a');
    await queue.run(['worker', 'run', '--drain'], { env });
    assert.equal((await queue.show('a')).state, 'completed');
  });

  test('a value is never an argument, and a final newline is not part of it', async (t) => {
    const queue = newQueue(t);
    await queue.rejected(2, ['secret', 'set', 'A', 'value'], { input: 'x' });
    await queue.run(['secret', 'set', 'A'], { input: 'a value\r\n' });
    await queue.run(['secret', 'set', 'B'], { input: 'two\nlines\n' });
    const { stdout } = await queue.run([
      'run',
      '--secret',
      'A',
      '--secret',
      'B',
      'printf "%s" "$A" | wc -c; printf "%s" "$B" | wc -c',
    ]);
    assert.equal(stdout, '7\n10\n');
    const short = await queue.run(['secret', 'set', 'C'], { input: 'abc' });
    assert.match(short.stderr, /not masked/);
  });

  test('an account restricted to recipes gets no secrets', async (t) => {
    const queue = await withSecret(t);
    await queue.prepare('recipe', 'add', 'r', '--', 'env');
    await queue.prepare('config', 'set', 'policy_recipes_only', 'everybody');
    assert.match(
      await queue.rejected(2, ['enqueue', '--recipe', 'r', '--secret', 'TOK']),
      /is not allowed to use secrets/,
    );
  });
});
