// queuectl enqueue --wait and --work: enqueue, run and wait in one line.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';

suite('enqueue --wait', { concurrency: 2 }, () => {
  test('--work runs a list of commands with limited concurrency and prints which failed', async (t) => {
    const queue = newQueue(t);
    // The first two wait for each other: they would hang if they did not run at once.
    const input = [
      'touch a; until [ -e b ]; do sleep 0.02; done',
      'touch b; until [ -e a ]; do sleep 0.02; done',
      'exit 4',
    ];
    const args = ['enqueue', '-', '--lines', '--work', '2', '--max-retries', '0'];
    const { code, stdout, stderr } = await queue.run(args, { input: input.join('\n') });
    assert.equal(code, 1);
    assert.match(stderr, /^3 jobs enqueued in group \w+\n$/);
    assert.match(stdout, /^\w+ {2}3 jobs: 2 completed, 1 dead\n[\s\S]* dead +exit 4 +exit code 4\n/);
    assert.deepEqual(await queue.json('worker', 'list'), [], 'its worker has left');
    const again = await queue.run(['enqueue', '-', '--lines', '--work', '1', '--group', 'g', '--json'], {
      input: 'true',
    });
    const { name, outcome, completed } = JSON.parse(again.stdout);
    assert.deepEqual([again.code, name, outcome, completed], [0, 'g', 'completed', 1]);
  });

  test('--wait waits for existing workers, and a single job sets the exit code', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const one = await queue.run(['enqueue', '--wait', '--max-retries', '0', 'exit 9']);
    assert.equal(one.code, 9);
    assert.match(one.stdout, /^\w+ {2}dead: exit code 9\n$/);
    const many = await queue.run(['enqueue', '-', '--lines', '--wait'], { input: 'true\ntrue' });
    assert.deepEqual([many.code, many.stdout.replace(/^\w+/, 'g')], [0, 'g  2 jobs: all completed\n']);
    const printed = await queue.run(['enqueue', '--wait', '--print-id', '--id', 'x', 'true']);
    assert.equal(printed.stdout, 'x\n');
    await worker.leave();
  });

  test('when interrupted, it lets running jobs finish and prints what is left', async (t) => {
    const queue = newQueue(t);
    const input = ['touch begun; until [ -e go ]; do sleep 0.02; done', 'touch never'].join('\n');
    const started = queue.start(['enqueue', '-', '--lines', '--group', 'g', '--work', '1'], { input });
    await until('the first one runs', () => queue.files().includes('begun'));
    started.kill('SIGINT');
    await until('it says so', () => started.stderr().includes('waiting for running jobs'));
    queue.write('go', '');
    const { code, stdout } = await started.ended;
    assert.equal(code, 130);
    assert.equal(
      stdout,
      'stopped waiting: 1 of 2 finished; run the rest with: queuectl worker start; cancel the group with: queuectl group cancel g\n',
    );
    assert.ok(!queue.files().includes('never'));
  });

  test('--work N runs N jobs at once in total, also next to running workers', async (t) => {
    const queue = newQueue(t);
    await queue.text('worker', 'start', '--concurrency', '4');
    const input = Array.from({ length: 6 }, (_, i) => `touch in.${i}; echo in.* | wc -w; sleep 0.2; rm in.${i}`);
    const { code } = await queue.run(['enqueue', '-', '--lines', '--work', '2'], { input: input.join('\n') });
    assert.equal(code, 0);
    const array = await queue.run([
      'enqueue',
      '--array',
      '1-6',
      '--work',
      '2',
      'touch in.$QUEUECTL_ARRAY_INDEX; echo in.* | wc -w; sleep 0.2; rm in.$QUEUECTL_ARRAY_INDEX',
    ]);
    assert.equal(array.code, 0);
    const counts = [];
    for (const { id } of await queue.jobs()) counts.push(Number(await queue.text('logs', '--raw', String(id))));
    assert.equal(counts.length, 12);
    assert.ok(Math.max(...counts) <= 2, `${counts}`);
    const named = await queue.run(['enqueue', '-', '--lines', '--group', 'g', '--work', '2'], {
      input: 'true\ntrue',
    });
    assert.match(named.stderr, /1 worker may also run these jobs, up to 6 at once; /);
    await queue.text('worker', 'stop');
  });

  test('when interrupted next to workers, it names them instead of suggesting to start one', async (t) => {
    const queue = newQueue(t);
    const worker = await queue.worker();
    const input = ['touch begun; until [ -e go ]; do sleep 0.02; done', 'until [ -e go ]; do sleep 0.02; done', 'true'];
    const line = ['enqueue', '-', '--lines', '--group', 'g', '--group-concurrency', '2', '--work', '1'];
    const started = queue.start(line, { input: input.join('\n') });
    await until('two run', async () => (await queue.jobs('--state', 'processing')).length === 2);
    await queue.text('pause');
    started.kill('SIGINT');
    await until('it says so', () => started.stderr().includes('waiting for running jobs'));
    queue.write('go', '');
    const { code, stdout } = await started.ended;
    assert.equal(code, 130);
    assert.match(
      stdout,
      /^stopped waiting: [12] of 3 finished; 1 worker continues with the rest; cancel the group with: queuectl group cancel g\n$/,
    );
    await queue.text('resume');
    await worker.leave();
  });

  test('--work does not retry a command that does not exist unless the job sets retry rules', async (t) => {
    const queue = newQueue(t);
    const args = ['enqueue', '--work', '1', '--backoff-base', '0'];
    assert.equal((await queue.run([...args, '--id', 'a', 'no-such-program'])).code, 127);
    assert.equal((await queue.run([...args, '--id', 'b', '--', 'no-such-program'])).code, 127);
    assert.equal((await queue.run([...args, '--id', 'c', '--max-retries', '1', 'no-such-program'])).code, 127);
    const attempts = (await queue.jobs()).map(({ id, attempts }) => [id, attempts]);
    assert.deepEqual(Object.fromEntries(attempts), { a: 1, b: 1, c: 2 });
  });

  test('--work explains why a job waits that needs more slots than exist', async (t) => {
    const queue = newQueue(t);
    const started = queue.start(['enqueue', '--work', '2', '--weight', '5', 'true']);
    await until('it says so', () =>
      started.stderr().includes('needs 5 slots, but no worker of queue default has more than 2'),
    );
    started.kill('SIGINT');
    assert.equal((await started.ended).code, 130);
  });

  test('a job that cannot be waited for is rejected, and nothing is stored', async (t) => {
    const queue = newQueue(t);
    await queue.rejected(2, ['enqueue', '--work', '0', 'true']);
    await queue.rejected(2, ['enqueue', '-', '--lines', '--work', '10001'], { input: 'true' });
    const input = '{"command":"true","group":"a"}\n{"command":"true","group":"b"}';
    assert.match(
      await queue.rejected(2, ['enqueue', '-', '--wait'], { input }),
      /^error: --wait requires one group, but the jobs name several: a, b; nothing was enqueued\n/,
    );
    assert.equal(await queue.count(), 0);
  });
});
