// Where a queue lives: what decides it, and who may look into it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';

test('init creates the queue and prints its location', async (t) => {
  const queue = newQueue(t);
  const lines = (await queue.text('init')).trimEnd().split('\n');
  assert.deepEqual(lines[0]?.split(/\s{2,}/), ['queue', queue.db]);
  assert.ok(fs.statSync(queue.db).size > 0);
  const place = await queue.json('init');
  assert.equal(place.db, queue.db);
  assert.ok(String(place.logs).startsWith(path.join(queue.home, 'logs')));
  assert.ok(String(place.run).startsWith(path.join(queue.home, 'run')));
});

test('a second init changes nothing', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', 'true');
  await queue.text('init');
  assert.equal((await queue.show('a')).state, 'pending');
});

test('the first command creates the queue', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('true');
  assert.ok(fs.existsSync(queue.db));
});

test('--db wins over QUEUECTL_DB, over QUEUECTL_HOME, over XDG_DATA_HOME, over HOME', async (t) => {
  const queue = newQueue(t);
  const at = (...parts: string[]) => path.join(queue.folder, ...parts);
  const env: Record<string, string | undefined> = {
    HOME: at('user'),
    XDG_DATA_HOME: at('data'),
    QUEUECTL_HOME: at('home'),
    QUEUECTL_DB: at('elsewhere', 'my.db'),
  };
  const place = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await queue.run(['init', '--json', ...args], { env });
    assert.equal(stderr, '');
    return JSON.parse(stdout).db;
  };
  assert.equal(await place('--db', at('flag.db')), at('flag.db'));
  assert.equal(await place(), at('elsewhere', 'my.db'));
  env.QUEUECTL_DB = undefined;
  assert.equal(await place(), at('home', 'queue.db'));
  env.QUEUECTL_HOME = undefined;
  assert.equal(await place(), at('data', 'queuectl', 'queue.db'));
  env.XDG_DATA_HOME = '';
  assert.equal(await place(), at('user', '.local', 'share', 'queuectl', 'queue.db'));
  assert.ok(fs.existsSync(at('user', '.local', 'share', 'queuectl', 'queue.db')));
});

test('a relative location is resolved against the current directory once', async (t) => {
  const queue = newQueue(t);
  await queue.text('--db', 'sub/my.db', 'enqueue', '--id', 'a', 'echo "$QUEUECTL_DB"');
  const { stdout } = await queue.run(['--db', '../sub/my.db', 'list', '--json'], {
    cwd: path.join(queue.folder, 'sub'),
  });
  assert.equal(JSON.parse(stdout)[0].id, 'a');
  await queue.run(['--db', 'sub/my.db', 'worker', 'run', '--drain']);
  assert.match(
    await queue.text('--db', 'sub/my.db', 'logs', 'a'),
    new RegExp(`\n${path.join(queue.folder, 'sub/my.db')}\n`),
  );
});

test('two queues in one directory are separate', async (t) => {
  const queue = newQueue(t);
  for (const db of ['one.db', 'two.db']) {
    await queue.text('--db', db, 'enqueue', '--id', 'same', '--max-retries', '0', `echo ${db}`);
    await queue.run(['--db', db, 'worker', 'run', '--drain']);
  }
  assert.match(await queue.text('--db', 'one.db', 'logs', 'same'), /\none\.db\n/);
  assert.match(await queue.text('--db', 'two.db', 'logs', 'same'), /\ntwo\.db\n/);
});

test('only the owner has access: directories have mode 0700, files 0600', async (t) => {
  const queue = newQueue(t);
  await queue.finished('--id', 'a', 'seq 5000');
  await queue.text('worker', 'start');
  const entries = queue.files().filter((file) => file.startsWith('home'));
  const modes = entries.map((file) => {
    const stats = fs.lstatSync(path.join(queue.folder, file));
    return [file, (stats.mode & 0o777).toString(8), stats.isDirectory() ? '700' : '600'] as const;
  });
  await queue.text('worker', 'stop');
  for (const [file, mode, expected] of modes) assert.equal(mode, expected, file);
  for (const part of [/^home\/queue\.db$/, /^home\/queue\.db-wal$/, /^home\/logs\/.*\.log$/, /^home\/run\/.*\.log$/])
    assert.ok(
      entries.some((file) => part.test(file)),
      String(part),
    );
});

test('an existing directory keeps its mode', async (t) => {
  const queue = newQueue(t);
  fs.mkdirSync(queue.home);
  fs.chmodSync(queue.home, 0o755);
  await queue.text('init');
  assert.equal(fs.statSync(queue.home).mode & 0o777, 0o755);
});

test('an empty --db is rejected, as a script with an unset variable must not use another queue', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['--db', '', 'reset', '--yes']), /--db/);
});

test('commands that read work from a removed directory', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', 'true');
  const { code, stdout } = await queue.sh('mkdir gone; cd gone; rmdir ../gone; queuectl list');
  assert.equal(code, 0);
  assert.match(stdout, /^a /m);
});

test('an address that this version cannot open is rejected', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['--db', 'mysql://host/x', 'status']), /'mysql:\/\/host\/x'/);
  assert.deepEqual(queue.files(), []);
});

test('commands that only read or change existing jobs create nothing for a mistyped --db', async (t) => {
  const queue = newQueue(t);
  const db = path.join(queue.folder, 'typo', 'queue.db');
  const lines = [
    ...['status', 'list', 'metrics', 'dlq list', 'queue list', 'worker list', 'config list', 'schedule list'],
    ...[
      'show x',
      'logs x',
      'why x',
      'cancel x',
      'retry x',
      'wait x',
      'graph x',
      'prune --older-than 1d',
      'export',
      'mcp --read-only',
      'serve --read-only --port 0',
    ],
  ];
  for (const line of lines) {
    const rejection = await queue.rejected(3, [...line.split(' '), '--db', db]);
    assert.match(rejection, /no queue found at '.*typo\/queue\.db'\n hint: .*queuectl init --db/, line);
  }
  const { code, stdout } = await queue.run(['doctor', '--db', db]);
  assert.equal(code, 3);
  assert.match(stdout, /no queue found at '.*typo\/queue\.db'/);
  assert.deepEqual(queue.files(), []);
});

test('schedule import --dry-run creates no queue', async (t) => {
  const queue = newQueue(t);
  const crontab = path.join(queue.folder, 'crontab');
  fs.writeFileSync(crontab, '0 3 * * * backup\n');
  const db = path.join(queue.folder, 'typo', 'queue.db');
  const line = ['schedule', 'import', '--crontab', crontab, '--dry-run'];
  assert.match(await queue.rejected(3, [...line, '--db', db]), /no queue found at '.*typo\/queue\.db'/);
  const { code, stdout } = await queue.run(line, { env: { QUEUECTL_DB: undefined } });
  assert.equal(code, 0);
  assert.match(stdout, /1 schedule would be added/);
  assert.deepEqual(queue.files(), ['crontab']);
});

test('before the default queue exists, commands that read show an empty queue and create nothing', async (t) => {
  const queue = newQueue(t);
  const env = { QUEUECTL_DB: undefined };
  for (const line of ['status', 'list', 'metrics', 'dlq list', 'worker list', 'config get max_retries', 'doctor']) {
    const { code, stderr } = await queue.run(line.split(' '), { env });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, line);
  }
  assert.equal((await queue.run(['show', 'x'], { env })).code, 3);
  assert.deepEqual(queue.files(), []);
});

test('status --watch shows the default queue as soon as it exists', async (t) => {
  const queue = newQueue(t);
  const env = { QUEUECTL_DB: undefined };
  const watching = queue.start(['status', '--watch', '--json'], { env });
  await until('the empty queue is shown', () => /"pending":0/.test(watching.stdout()));
  await queue.run(['enqueue', 'true'], { env });
  await until('the new job is shown', () => /"pending":1/.test(watching.stdout()));
  watching.kill('SIGINT');
  await watching.ended;
});
