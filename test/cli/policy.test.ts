// queuectl policy: what is rejected on every way in, and once more before the start.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

async function held(t: TestContext, settings: Record<string, string>): Promise<TestQueue> {
  const queue = newQueue(t);
  for (const [key, value] of Object.entries(settings)) await queue.prepare('config', 'set', key, value);
  return queue;
}

const rejections = async (queue: TestQueue): Promise<Document[]> =>
  (await queue.json<Document[]>('activity')).filter(({ action }) => action === 'rejected');

suite('policy', { concurrency: 2 }, () => {
  test('an import stores no deliveries, to which the policy would not apply', async (t) => {
    const plain = newQueue(t);
    await plain.enqueue('--id', 'forged', '--', 'echo');
    const file = path.join(plain.folder, 'export');
    await plain.text('export', file);
    const forge = (state: string): void => {
      const lines = fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      for (const { job } of lines)
        if (job) Object.assign(job, { command: '["webhook","POST","http://192.0.2.1/x"]', hook_of: 'a', state });
      fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    };
    forge('pending');
    const queue = await held(t, { policy_queues: 'default' });
    assert.match(
      await queue.rejected(2, ['import', file]),
      /job 'forged' is not allowed here: only this queue can create/,
    );
    forge('cancelled');
    await queue.text('import', file);
    assert.deepEqual(
      (await queue.jobs()).map(({ id, hook_of }) => [id, hook_of]),
      [['forged', null]],
    );
  });

  test('a disallowed command is rejected on every path, and nothing is stored', async (t) => {
    const queue = await held(t, { policy_programs: 'true; echo **' });
    await queue.enqueue('--id', 'good', '--', 'true');
    const plain = newQueue(t);
    await plain.enqueue('--id', 'bad', '--', 'false');
    const file = path.join(plain.folder, 'export');
    await plain.text('export', file);
    const yaml = queue.write('flow.yaml', 'jobs:\n  a: ["false"]\n');
    const ways: string[][] = [
      ['enqueue', 'true'],
      ['enqueue', '--', 'false'],
      ['enqueue', '{"command":["false"]}'],
      ['enqueue', '[{"command":["true"]},{"command":["false"]}]'],
      ['enqueue', '--file', queue.write('jobs.ndjson', '{"command":["true"]}\n{"command":["false"]}\n')],
      ['enqueue', '--file', yaml],
      ['enqueue', '--array', '0-2', '--', 'false'],
      ['enqueue', '--each', queue.write('lines', 'a\n'), '--', 'cat', '{}'],
      ['enqueue', '--on-success', 'rm x', '--', 'true'],
      ['enqueue', '--env', 'PATH=/tmp', '--', 'true'],
      ['enqueue', '--env', 'TAR_OPTIONS=x', '--', 'true'],
      ['run', '--', 'false'],
      ['schedule', 'add', 's', '--every', '1h', '--', 'false'],
      ['edit', 'good', '--command', 'echo hi'],
      ['import', file],
    ];
    for (const args of ways) {
      const said = await queue.rejected(2, args);
      assert.match(said, /not allowed/, args.join(' '));
    }
    assert.match(
      await queue.rejected(2, ['enqueue', '-', '--lines'], { input: 'true\n' }),
      /program '\/bin\/sh' is not allowed/,
    );
    assert.deepEqual((await queue.jobs()).map(({ id, command }) => [id, command]), [['good', ['true']]]); // biome-ignore format: one line
    assert.deepEqual(await queue.json('schedule', 'list'), []);
    const [last] = await rejections(queue);
    assert.match(String(last?.actor), /@/);
    assert.deepEqual(
      [last?.via, (last?.detail as Document | undefined)?.reason],
      ['cli', "program '/bin/sh' is not allowed"],
    );
  });

  test('a job that looks like a webhook delivery is rejected on every path and not run', async (t) => {
    const queue = await held(t, { policy_programs: '/usr/bin/true' });
    const command = ['queuectl', '__webhook', 'http://192.0.2.1/x'];
    const mark = path.join(queue.folder, 'mark');
    const code = `data:text/javascript,import('node:fs').then((fs)=>fs.writeFileSync('${mark}',''))`;
    const job = { command, env: { QUEUECTL_HOOK_BODY: '{}', NODE_OPTIONS: `--import=${code}` } };
    for (const args of [
      ['enqueue', JSON.stringify(job)],
      ['enqueue', '--', ...command],
      ['run', '--', ...command],
      ['schedule', 'add', 's', '--every', '1h', '--', ...command],
    ])
      assert.match(await queue.rejected(2, args), /internal command that delivers webhooks/, args.join(' '));
    await queue.prepare('enqueue', '--id', 'a', '--', '/usr/bin/true');
    const db = new DatabaseSync(queue.db);
    db.prepare("UPDATE jobs SET command = ?, env = ? WHERE id = 'a'").run(
      JSON.stringify(command),
      JSON.stringify(job.env),
    );
    db.close();
    await queue.run(['worker', 'run', '--drain']);
    assert.match(String((await queue.show('a')).last_error), /rejected: variable \w+ is not allowed/);
    assert.ok(!fs.existsSync(mark));
  });

  test('the shell of the enqueuer cannot turn an allowed program into another', async (t) => {
    const queue = await held(t, { policy_programs: '/usr/bin/env', policy_variables: 'GREETING' });
    await queue.run(['enqueue', '--id', 'a', '--', '/usr/bin/env'], {
      env: { TAR_OPTIONS: '--x', LD_PRELOAD_X: '1', GREETING: 'hello' },
    });
    await queue.run(['worker', 'run', '--drain']);
    const output = await queue.text('logs', 'a', '--raw');
    assert.match(output, /^GREETING=hello$/m);
    assert.doesNotMatch(output, /TAR_OPTIONS|LD_PRELOAD_X/);
  });

  test('a row written around the policy is not run, and other rows are', async (t) => {
    const queue = await held(t, { policy_shell: 'reject' });
    const trace = path.join(queue.folder, 'trace');
    await queue.enqueue('--id', 'row', '--', 'true');
    await queue.enqueue('--id', 'other', '--', 'true');
    const database = new DatabaseSync(queue.db);
    database.prepare("UPDATE jobs SET command = ?, is_argv = 0 WHERE id = 'row'").run(`touch '${trace}'`);
    database.close();
    await queue.drain();
    const [row, other] = [await queue.show('row'), await queue.show('other')];
    assert.deepEqual(
      [row.state, row.last_error, other.state, fs.existsSync(trace)],
      ['dead', 'rejected: shell commands are not allowed', 'completed', false],
    );
    const [attempt, ...more] = row.history as Document[];
    assert.deepEqual([attempt?.outcome, more], ['rejected', []], 'it is not tried again');
    assert.match(await queue.text('show', 'row'), /rejected: shell commands are not allowed/);
    const [entry] = await rejections(queue);
    assert.deepEqual([entry?.via, entry?.target], ['worker', 'row']);
    assert.match(await queue.rejected(2, ['retry', 'row']), /shell commands/);
  });

  test('a link leads out of no directory, at enqueue and at the start', async (t) => {
    const queue = newQueue(t);
    const [inside, outside] = ['inside', 'outside'].map((name) => path.join(queue.folder, name));
    for (const folder of [inside, outside]) fs.mkdirSync(folder as string);
    await queue.prepare('config', 'set', 'policy_folders', inside as string);
    const work = path.join(inside as string, 'work');
    fs.mkdirSync(work);
    await queue.enqueue('--id', 'a', '--cwd', work, 'touch here');
    assert.match(
      await queue.rejected(2, ['enqueue', '--cwd', outside as string, 'true']),
      /jobs are not allowed to run in/,
    );
    fs.rmdirSync(work);
    fs.symlinkSync(outside as string, work);
    assert.match(await queue.rejected(2, ['enqueue', '--cwd', work, 'true']), /inside\/work' \(.*outside\)/);
    await queue.drain();
    const { state, last_error } = await queue.show('a');
    assert.equal(state, 'dead');
    assert.match(String(last_error), /^rejected: jobs are not allowed to run in .*\(/);
    assert.deepEqual(fs.readdirSync(outside as string), []);
  });

  test('a bulk retry reports how many jobs the policy rejected and why, and retries the others', async (t) => {
    const queue = newQueue(t);
    for (const id of ['a', 'b', 'c']) await queue.enqueue('--id', id, '--group', 'g', '--', 'true');
    await queue.enqueue('--id', 's', '--group', 'g', 'true');
    await queue.text('cancel', '--filter', 'group:g', '--yes');
    await queue.prepare('config', 'set', 'policy_shell', 'reject');
    assert.match(await queue.rejected(2, ['retry', 'a', 's']), /job 's': shell commands are not allowed/);
    const { code, stdout } = await queue.run(['retry', '--filter', 'group:g']);
    const expected = '3 jobs requeued, 1 job rejected:\n  1 job: shell commands are not allowed\n';
    assert.deepEqual([code, stdout], [1, expected]);
    const again = await queue.run(['retry', '--filter', 'group:g', '--json']);
    assert.deepEqual(
      [again.code, JSON.parse(again.stdout)],
      [1, { retried: 0, rejected: 1, rejections: [{ reason: 'shell commands are not allowed', jobs: 1 }] }],
    );
    assert.match(
      await queue.rejected(2, ['config', 'set', 'on_dead', 'mail boss']),
      /hook on_dead: shell commands are not allowed/,
    );
  });

  test('check prints the decision with its reason, and enqueues nothing', async (t) => {
    const queue = await held(t, { policy_programs: 'ls -l **', policy_queues: 'img' });
    assert.equal(await queue.text('policy', 'check', '--queue', 'img', '--', 'ls', '-l', 'a', 'b'), 'allowed\n');
    const no = await queue.run(['policy', 'check', '--json', '--queue', 'img', '--', 'ls']);
    assert.equal(no.code, 1);
    assert.match(JSON.parse(no.stdout).reason, /not allowed with these arguments/);
    assert.equal((await queue.run(['policy', 'check', 'ls -l'])).stdout, "rejected: queue 'default' accepts no jobs\n");
    assert.equal(await queue.count(), 0);
    assert.deepEqual(await rejections(queue), []);
    const shown = await queue.json('policy', 'show');
    assert.deepEqual([shown.policy_programs, shown.policy_shell], ['ls -l **', 'allow']);
  });

  test('the environment of a user does not override the policy', async (t) => {
    const queue = await held(t, { policy_shell: 'reject' });
    const env = { QUEUECTL_POLICY_SHELL: 'allow' };
    assert.match(await queue.rejected(2, ['enqueue', 'true'], { env }), /applies to every user/);
  });
});
