// queuectl wait --group: until all jobs of a group are final, and what became of them.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { until } from '../support/until.ts';
import { type Document, hasTerminals, newQueue } from './support.ts';

suite('wait --group', { concurrency: 2 }, () => {
  test('exits with 0 if all jobs completed and 1 if one is dead or cancelled, and names those', async (t) => {
    const queue = newQueue(t);
    const flags = ['--max-retries', '0'];
    await queue.enqueue('--id', 'a', '--group', 'good', 'true');
    await queue.enqueue('--id', 'b', '--group', 'bad', ...flags, 'exit 7');
    await queue.enqueue('--id', 'c', '--group', 'bad', ...flags, 'true');
    await queue.enqueue('--id', 'd', '--group', 'cancelled', 'true');
    await queue.text('cancel', 'd');
    await queue.drain();
    const good = await queue.run(['wait', '--group', 'good']);
    assert.deepEqual([good.code, good.stdout, good.stderr], [0, 'good  1 job: all completed\n', '']);
    const bad = await queue.run(['wait', '--group', 'bad']);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^bad {2}2 jobs: 1 completed, 1 dead\n\n +id +.*\n +b +dead +exit 7 +exit code 7\n/);
    assert.equal((await queue.run(['wait', '--group', 'cancelled'])).code, 1);
    const { failed_jobs, outcome } = JSON.parse((await queue.run(['wait', '--group', 'bad', '--json'])).stdout);
    assert.deepEqual(
      [outcome, failed_jobs.map(({ id, exit_code }: Document) => [id, exit_code])],
      ['dead', [['b', 7]]],
    );
  });

  test('the first twenty failed jobs are listed with a hint to show all', async (t) => {
    const queue = newQueue(t);
    const input = Array.from({ length: 25 }, () => 'false').join('\n');
    await queue.run(['enqueue', '-', '--lines', '--group', 'g', '--max-retries', '0'], { input });
    await queue.drain();
    const { stdout } = await queue.run(['wait', '--group', 'g']);
    assert.equal(stdout.match(/ dead /g)?.length, 20);
    assert.match(stdout, /and 5 more jobs; list them with: queuectl list --group g --state dead,cancelled --limit 0\n/);
  });

  test('a timeout exits with 124 and reports unfinished jobs and missing workers', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--group', 'g', 'true');
    await queue.enqueue('--group', 'g', 'true');
    const { code, stdout, stderr } = await queue.run(['wait', '--group', 'g', '--timeout', '100ms']);
    assert.deepEqual([code, stdout], [124, '']);
    assert.equal(
      stderr,
      'no worker serves queue default; start one: queuectl worker start\nerror: not finished after 0.1 s: 1 of 2 jobs of group g\n' +
        ' hint: no worker serves queue default; start one: queuectl worker start\n',
    );
  });

  test('an unknown group, and IDs next to a group, are rejected', async (t) => {
    const queue = newQueue(t);
    await queue.rejected(3, ['wait', '--group', 'nobody']);
    await queue.rejected(2, ['wait', '--group', 'g', 'k3f9']);
  });

  const skip = hasTerminals ? false : 'there is no `script` to make a terminal with';
  test('on a terminal a bar shows the progress', { skip }, async (t) => {
    const queue = newQueue(t);
    await queue.finished('--group', 'g', 'true');
    await queue.enqueue('--group', 'g', 'until [ -e go ]; do sleep 0.02; done');
    const worker = await queue.worker();
    const waiting = queue.startOnTerminal(60, 'queuectl wait --group g');
    const shown = () => stripVTControlCharacters(waiting.stdout()).split('\r');
    await until('the bar is half full', () => shown().includes('██████████░░░░░░░░░░  1 of 2 done · 1 running'));
    queue.write('go', '');
    await waiting.ended;
    assert.match(shown().join('\n'), /g {2}2 jobs: all completed/);
    await worker.leave();
  });

  test('group show --watch updates until the group has finished', { skip }, async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--group', 'g', '--max-retries', '0', 'until [ -e go ]; do sleep 0.02; done; exit 5');
    const worker = await queue.worker();
    const watching = queue.startOnTerminal(80, 'queuectl group show g --watch');
    await until('it shows the running job', () => watching.stdout().includes('1 running'));
    queue.write('go', '');
    const { code, stdout } = await watching.ended;
    assert.equal(code, 0);
    assert.match(stripVTControlCharacters(stdout), /0 of 1 done · 1 running[\s\S]*1 of 1 done · 1 dead/);
    const piped = await queue.text('group', 'show', 'g', '--watch');
    assert.match(piped, /^g {2}finished, with dead jobs\n/);
    await worker.leave();
  });
});
