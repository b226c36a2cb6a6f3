// When and where a job will run: enqueue says when, if that is not now, and rejects a folder that is not there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { dateTime } from '../../src/cli/render/kit/human.ts';
import { type Document, newQueue } from './support.ts';

suite('working directory', { concurrency: 2 }, () => {
  test('a job cannot be enqueued in a removed directory', async (t) => {
    const queue = newQueue(t);
    for (const program of ['queuectl', 'env -u PWD queuectl']) {
      for (const line of ['enqueue true', 'run true', 'enqueue - --lines']) {
        const { code, stdout, stderr } = await queue.sh(
          `mkdir gone; cd gone; rmdir ../gone; echo true | ${program} ${line}`,
        );
        assert.deepEqual([code, stdout], [2, ''], line);
        assert.match(stderr, /^error: (line 1: )?the current directory no longer exists.*\n hint: .*--cwd DIR/m, line);
      }
    }
    assert.equal(await queue.count(), 0);
  });

  test('a job for another directory can be enqueued from a removed one', async (t) => {
    const queue = newQueue(t);
    const flag = await queue.sh('mkdir gone; cd gone; rmdir ../gone; queuectl enqueue --id a --cwd / true');
    assert.equal(flag.code, 0, flag.stderr);
    const json = `'{"id":"b","command":"true","cwd":"/"}'`;
    const field = await queue.sh(`mkdir gone; cd gone; rmdir ../gone; queuectl enqueue ${json}`);
    assert.equal(field.code, 0, field.stderr);
    assert.deepEqual([(await queue.show('a')).cwd, (await queue.show('b')).cwd], ['/', '/']);
  });

  test('a relative --db in a removed directory is rejected with one sentence', async (t) => {
    const queue = newQueue(t);
    const { code, stderr } = await queue.sh('mkdir gone; cd gone; rmdir ../gone; queuectl --db q.db status');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^error: the current directory no longer exists, so the relative path 'q\.db' cannot be resolved\n hint: /m,
    );
  });

  test('a directory that does not exist is rejected, however it was given', async (t) => {
    const queue = newQueue(t);
    queue.write('a-file', '');
    const missing = path.join(queue.folder, 'nowhere');
    for (const args of [
      ['enqueue', '--cwd', missing, 'true'],
      ['enqueue', '--cwd', 'nowhere', 'true'],
      ['enqueue', JSON.stringify({ command: 'true', cwd: missing })],
      ['run', '--cwd', missing, 'true'],
    ]) {
      const rejection = await queue.rejected(2, args);
      assert.match(
        rejection,
        /directory '.*nowhere' does not exist\n hint: create it: mkdir -p .*nowhere/,
        args.join(' '),
      );
    }
    assert.match(await queue.rejected(2, ['enqueue', '--cwd', 'a-file', 'true']), /'.*a-file' is not a directory/);
    const input = `{"command":"true"}\n{"command":"true","cwd":"${missing}"}\n`;
    assert.match(
      await queue.rejected(2, ['enqueue', '-'], { input }),
      /line 2: directory '.*nowhere' does not exist; nothing was enqueued/,
    );
    assert.equal(await queue.count(), 0);
    fs.mkdirSync(missing);
    assert.equal((await queue.run(['enqueue', '--cwd', 'nowhere', 'true'])).code, 0);
  });
});

suite('start time', { concurrency: 2 }, () => {
  test('enqueue prints the start time of a job that starts later', async (t) => {
    const queue = newQueue(t);
    assert.equal(await queue.text('enqueue', '--id', 'now', 'true'), 'now  enqueued\n');
    const later = await queue.text('enqueue', '--id', 'later', '--delay', '1h', 'true');
    assert.equal(later, `later  enqueued  runs in 1 h (${await timeOf('later', 16)})\n`);
    const soon = await queue.text('enqueue', '--id', 'soon', '--delay', '30s', 'true');
    assert.equal(soon, `soon  enqueued  runs in 30 s (${await timeOf('soon', 19)})\n`);
    const jobs = [
      { id: 'a', command: 'true' },
      { id: 'b', command: 'true', run_at: '2131-05-01T10:00:00Z' },
    ];
    assert.match(
      await queue.text('enqueue', JSON.stringify(jobs)),
      /^a {2}enqueued\nb {2}enqueued {2}runs in \d+ d.* \(2131-05-01 \d\d:\d\d\)\n$/,
    );

    async function timeOf(id: string, length: number): Promise<string> {
      return dateTime(Date.parse(String((await queue.show(id)).run_at))).slice(0, length);
    }
  });

  test('a start time in the past is reported', async (t) => {
    const queue = newQueue(t);
    const said = await queue.text('enqueue', '--id', 'a', '--run-at', '2020-01-02 10:00', 'true');
    assert.equal(said, 'a  enqueued  runs now: 2020-01-02 10:00 is in the past\n');
    assert.equal((await queue.show('a')).state, 'pending');
  });

  test('--run-at now is not a time in the past', async (t) => {
    const queue = newQueue(t);
    assert.equal(await queue.text('enqueue', '--id', 'a', '--run-at', 'now', 'true'), 'a  enqueued\n');
  });

  test('one job from a file prints its ID and start time like a single job', async (t) => {
    const queue = newQueue(t);
    queue.write('job.json', '{"id":"a","command":"true","delay_seconds":7200}');
    assert.match(await queue.text('enqueue', '@job.json'), /^a {2}enqueued {2}runs in 2 h \(.*\)\n$/);
  });
});

suite('enqueue --json', { concurrency: 2 }, () => {
  test('prints an array of jobs, for one job and for many, from arguments, a file or stdin', async (t) => {
    const queue = newQueue(t);
    queue.write('one', '{"id":"a","command":"true"}');
    queue.write('two', '{"id":"b","command":"true"}\n{"id":"c","command":"true"}\n');
    for (const [ids, ...args] of [
      ['a', '@one'],
      ['b,c', '@two'],
      ['d', '--id', 'd', 'true'],
      ['e', '{"id":"e","command":"true"}'],
      ['f,g', '{"id":"f","command":"true"}', '{"id":"g","command":"true"}'],
    ] as [string, ...string[]][]) {
      const jobs = await queue.json<Document[]>('enqueue', ...args);
      assert.deepEqual(
        jobs.map(({ id }) => id),
        ids.split(','),
      );
      for (const job of jobs) assert.deepEqual(job, (await queue.jobs('--search', String(job.id)))[0]);
    }
  });

  test('prints one array for more jobs than are read at once', async (t) => {
    const queue = newQueue(t);
    const input = 'true\n'.repeat(2500);
    const { stdout } = await queue.run(['enqueue', '-', '--lines', '--json'], { input });
    const jobs = JSON.parse(stdout) as Document[];
    assert.equal(jobs.length, 2500);
    assert.deepEqual(
      jobs.map(({ id }) => id),
      (await queue.jobs('--limit', '0', '--reverse')).map(({ id }) => id),
    );
  });
});
