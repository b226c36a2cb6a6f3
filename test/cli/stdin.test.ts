// The standard input of a job: the same bytes at every attempt.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { newQueue } from './support.ts';

const LIMIT = 10 * 1024 * 1024;

suite('standard input', { concurrency: 2 }, () => {
  test('of a job is the file given by --stdin, byte for byte, at every attempt', async (t) => {
    const queue = newQueue(t);
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7) % 256));
    fs.writeFileSync(path.join(queue.folder, 'input'), bytes);
    const command = 'cat >> all; [ $(wc -c < all) -ge 2000 ]';
    const args = ['--backoff-base', '0', '--backoff-strategy', 'fixed', '--stdin', 'input', command];
    const id = await queue.enqueue(...args);
    fs.rmSync(path.join(queue.folder, 'input'));
    await queue.drain();
    const job = await queue.show(id);
    assert.deepEqual([job.state, job.attempts, job.stdin_bytes], ['completed', 2, 1000]);
    assert.deepEqual(fs.readFileSync(path.join(queue.folder, 'all')), Buffer.concat([bytes, bytes]));
    assert.match(await queue.text('show', id), /stdin 1,000 bytes/);
  });

  test('can come from stdin, or as text in JSON', async (t) => {
    const queue = newQueue(t);
    const { stdout } = await queue.run(['enqueue', '--print-id', '--stdin', '-', 'cat'], { input: 'piped' });
    const json = await queue.enqueue('{"command":"cat","stdin":"née\\u0000🦊"}');
    await queue.drain();
    assert.equal(await queue.text('logs', '--raw', stdout.trim()), 'piped');
    assert.equal(await queue.text('logs', '--raw', json), 'née\0🦊');
  });

  test('of many jobs from a file is separate for each job', async (t) => {
    const queue = newQueue(t);
    const jobs = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, command: 'cat', stdin: `of ${id}` }));
    queue.write('jobs.ndjson', [...jobs, '{"id":"d","command":"cat"}'].join('\n'));
    await queue.text('enqueue', '--file', 'jobs.ndjson');
    await queue.drain();
    for (const id of ['a', 'b', 'c']) assert.equal(await queue.text('logs', '--raw', id), `of ${id}`);
    assert.equal(await queue.text('logs', '--raw', 'd'), '');
  });

  test('is empty by default', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished('wc -c; readlink /proc/self/fd/0');
    assert.equal(await queue.text('logs', '--raw', id), '0\n/dev/null\n');
    assert.equal((await queue.show(id)).stdin_bytes, null);
  });

  test('can be set to empty explicitly', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished('--stdin', '/dev/null', 'wc -c');
    assert.equal(await queue.text('logs', '--raw', id), '0\n');
    assert.equal((await queue.show(id)).stdin_bytes, 0);
  });

  test('is deleted with its job', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueue('{"command":"cat","stdin":"secret"}');
    await queue.run(['delete', id]);
    await queue.enqueue('--id', id, 'wc -c');
    await queue.drain();
    assert.equal(await queue.text('logs', '--raw', id), '0\n');
  });

  test('beyond 10 MiB is rejected, and nothing is stored', async (t) => {
    const queue = newQueue(t);
    const most = await queue.run(['enqueue', '--stdin', '-', 'wc -c'], { input: Buffer.alloc(LIMIT) });
    assert.equal(most.code, 0, most.stderr);
    const input = Buffer.alloc(LIMIT + 1);
    assert.match(
      await queue.rejected(2, ['enqueue', '--stdin', '-', 'wc -c'], { input }),
      /10485760 bytes.*nothing was enqueued/,
    );
    const { code, stderr } = await queue.sh(`head -c ${LIMIT + 1} /dev/zero | queuectl run 'wc -c'`);
    assert.deepEqual([code, /10485760 bytes/.test(stderr)], [2, true]);
    assert.equal(await queue.count(), 1);
    await queue.drain();
    const [job] = await queue.jobs();
    assert.equal(await queue.text('logs', '--raw', String(job?.id)), `${LIMIT}\n`);
  });

  test('from an unreadable file is rejected', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['enqueue', '--stdin', 'nowhere', 'cat']), /cannot read 'nowhere'/);
    assert.match(await queue.rejected(2, ['enqueue', '{"command":"cat","stdin":5}']), /'stdin' must be/);
    assert.match(await queue.rejected(2, ['enqueue', '--stdin', '-', '-', '--lines']), /stdin/);
    assert.equal(await queue.count(), 0);
  });
});

test('is part of an export, and a file without it is rejected', async (t) => {
  const queue = newQueue(t);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256));
  fs.writeFileSync(path.join(queue.folder, 'input'), bytes);
  await queue.enqueue('--id', 'a', '--stdin', 'input', 'cat > copy');
  await queue.text('export', 'queue.ndjson');
  await queue.text('delete', 'a');
  const file = path.join(queue.folder, 'queue.ndjson');
  const whole = fs.readFileSync(file, 'utf8');
  queue.write('cut.ndjson', whole.replace(/,"stdin":"[^"]*"/, ''));
  assert.match(await queue.rejected(2, ['import', 'cut.ndjson']), /the job's standard input is invalid/);
  await queue.run(['import', 'queue.ndjson']);
  await queue.drain();
  assert.ok(fs.readFileSync(path.join(queue.folder, 'copy')).equals(bytes));
});

suite('run', { concurrency: 2 }, () => {
  test('passes its piped stdin to the command', async (t) => {
    const queue = newQueue(t);
    const { code, stdout } = await queue.sh('printf "a\\nb\\n" | queuectl run --id a cat');
    assert.deepEqual([code, stdout], [0, 'a\nb\n']);
    assert.equal((await queue.show('a')).stdin_bytes, 4);
  });

  test('passes a file to the command', async (t) => {
    const queue = newQueue(t);
    queue.write('input', 'from a file');
    assert.equal((await queue.sh('queuectl run cat < input')).stdout, 'from a file');
  });

  test('gives its piped stdin to a worker, at every attempt', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const flaky = 'cat; echo try >> tries; [ $(wc -l < tries) -ge 2 ]';
    const line = `echo data | queuectl run --max-retries 3 --backoff-base 0 --backoff-strategy fixed '${flaky}'`;
    assert.equal((await queue.sh(line)).stdout, 'data\ndata\n');
    await worker.leave();
  });

  test('does not wait for a stdin that another process holds open', async (t) => {
    const queue = newQueue(t);
    assert.equal((await queue.run(['run', 'wc -c'])).stdout, '0\n');
    assert.equal((await queue.sh('queuectl run "wc -c" < /dev/null')).stdout, '0\n');
  });

  test('reports that it waits for input', async (t) => {
    const queue = newQueue(t);
    const line = '{ until grep -q reading said; do sleep 0.05; done; echo late; } | queuectl run cat 2> said';
    assert.equal((await queue.sh(`: > said; ${line}`)).stdout, 'late\n');
    const said = fs.readFileSync(path.join(queue.folder, 'said'), 'utf8');
    assert.match(said, /^reading standard input for the job.*< \/dev\/null/);
  });
});
