// queuectl migrate: a queue in another place is the same queue, whatever happens on the way.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import { type MoveProgress, moveQueue } from '../../src/queue/move.ts';
import { Queue } from '../../src/queue/queue.ts';
import { postgresPlace, quoted } from '../store/postgres-place.ts';
import { newJob } from '../support/jobs.ts';
import { addressWith, ask, sharedServer } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { type Document, newQueue, type TestQueue } from './support.ts';
import { processesWith } from '../support/processes.ts';

/** More than go over at a time. */
const MANY = 1200;
const AT_A_TIME = 500;

const HARD = {
  id: 'hard.one:2-3_4',
  command: ['printf', '%s\n', `it's "quoted" \\ $HOME`, '🦊 é', "'; DROP TABLE jobs; --"],
  env: { "it's": '"🦊"\n$(id)', EMPTY: '' },
  queue: 'mail:2',
  priority: -3,
  timeout_seconds: 12.5,
  max_retries: 0,
};

/** A queue with a job in every state, attempts, logs and settings. */
async function livedIn(t: TestContext): Promise<TestQueue> {
  const queue = newQueue(t);
  const jobs = [
    { id: 'good', command: 'echo fine; printf "no newline"', priority: 5 },
    { id: 'silent', command: 'true' },
    {
      id: 'says',
      command: 'echo ::progress 30 x; echo "[1]" > "$QUEUECTL_RESULT"; exit 3',
      success_codes: [3],
    },
    { id: 'bereft', command: 'seq 1 2000' },
    { id: 'dead', command: 'echo why >&2; exit 2', max_retries: 0 },
    { id: 'gone', command: 'false', max_retries: 0 },
    { id: 'twice', command: 'echo again $QUEUECTL_ATTEMPT; [ $QUEUECTL_ATTEMPT = 2 ]', backoff_base: 0 },
    { id: 'failed', command: 'echo not yet; exit 3', backoff_base: 3600 },
    HARD,
    { id: 'large', command: 'head -c 3000000 /dev/urandom | od -An -tx1' },
  ];
  await queue.prepare('enqueue', JSON.stringify(jobs));
  await queue.prepare('config', 'set', 'max_retries', '7');
  await queue.prepare('config', 'set', 'job_timeout', 'none');
  const worker = await queue.worker();
  await queue.untilState('large', 'completed');
  await worker.leave();
  const waiting = [
    { id: 'later', command: 'true', run_at: '2199-01-01T00:00:00Z' },
    { id: 'now', command: 'true' },
    { id: 'cancelled', command: 'true' },
  ];
  await queue.prepare('enqueue', JSON.stringify(waiting));
  await queue.prepare('cancel', 'cancelled');
  await queue.prepare('delete', 'gone');
  await queue.text('schedule', 'add', 'far', '--at', '2199-01-01T00:00:00Z', '--jitter', '0s', '-e', 'A=b', 'true');
  fs.rmSync(String((await queue.show('bereft')).log_path));
  return queue;
}

/** The address of an empty schema, gone when the test ends. */
async function newSchema(t: TestContext): Promise<string> {
  const place = await postgresPlace();
  t.after(() => place.remove());
  return place.url;
}

const withoutLogPath = ({ log_path, ...rest }: Document): Document => rest;

/** All that a person can see of a queue, but not where its logs are. */
async function seen(queue: TestQueue, db: string): Promise<unknown> {
  const jobs = await queue.jobs('--db', db, '--limit', '0');
  const each = async ({ id }: Document): Promise<unknown> => {
    const job = await queue.look('show', String(id), '--show-env', '--db', db);
    const history = (job.history as Document[]).map(withoutLogPath);
    const { stdout } = await queue.inProcess(['logs', String(id), '--db', db]);
    return { job: withoutLogPath({ ...job, history }), log: stdout };
  };
  return {
    jobs: jobs.map(withoutLogPath),
    each: await Promise.all(jobs.map(each)),
    settings: await queue.look('config', 'list', '--db', db),
    schedule: await queue.look('schedule', 'show', 'far', '--show-env', '--db', db),
    counted: (await queue.look('metrics', '--db', db)).ever,
  };
}

const migrate = (queue: TestQueue, from: string, to: string): Promise<Document> =>
  queue.json('migrate', '--from', from, '--to', to);

/** A file with so many jobs; the second depends on the first, and the last one has an attempt with a log. */
async function manyJobs(t: TestContext): Promise<TestQueue> {
  const queue = newQueue(t);
  const lines = Array.from({ length: MANY - 1 }, (_, i) =>
    JSON.stringify({ id: `j${i}`, command: 'true', tags: ['t'], ...(i === 1 && { depends_on: ['j0'] }) }),
  );
  await queue.text('enqueue', '--file', queue.write('jobs.ndjson', lines.join('\n')));
  await queue.prepare('enqueue', '--id', 'last', '--queue', 'other', 'echo the last');
  assert.equal((await queue.run(['worker', 'run', '--drain', '--queue', 'other'])).code, 0);
  return queue;
}

const ids = async (queue: TestQueue, db: string): Promise<unknown[]> =>
  (await queue.jobs('--db', db, '--limit', '0')).map(({ id }) => id);

/** That a worker is let start there; it finds nothing to do. */
async function canWork(queue: TestQueue, db: string): Promise<void> {
  const { code, stderr } = await queue.run(['worker', 'run', '--drain', '--queue', 'no-such', '--db', db]);
  assert.equal(code, 0, stderr);
}

suite('migrate', { concurrency: 1 }, () => {
  test('a migration to PostgreSQL and back preserves everything', { timeout: 120_000 }, async (t) => {
    const queue = await livedIn(t);
    const [server, back] = [await newSchema(t), path.join(queue.folder, 'new folder', 'back.db')];
    const original = await seen(queue, queue.db);
    const moved = await migrate(queue, queue.db, server);
    assert.deepEqual([moved.jobs, moved.settings, moved.already_there], [12, 2, 0]);
    assert.ok(!String(moved.to).includes('secret'), 'no password is shown');
    assert.deepEqual(await seen(queue, server), original);
    fs.renameSync(path.join(queue.home, 'logs'), path.join(queue.home, 'no logs'));
    assert.deepEqual(await migrate(queue, server, back), { ...moved, from: moved.to, to: back });
    assert.deepEqual(await seen(queue, back), original);
    const log = String((await queue.json('show', 'large', '--db', back)).log_path);
    assert.ok(log.startsWith(path.join(queue.folder, 'new folder', 'logs')));
    const modes = [log, path.dirname(log)].map((file) => fs.statSync(file).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o700]);
    fs.renameSync(path.join(queue.home, 'no logs'), path.join(queue.home, 'logs'));
    assert.deepEqual(await seen(queue, queue.db), original, 'the source is left as it was');
  });

  test('from file to file and from schema to schema', { timeout: 120_000 }, async (t) => {
    const queue = await livedIn(t);
    const original = await seen(queue, queue.db);
    const [file, one, two] = [path.join(queue.folder, 'b.db'), await newSchema(t), await newSchema(t)];
    await migrate(queue, queue.db, file);
    fs.rmSync(path.join(queue.home, 'logs'), { recursive: true });
    await migrate(queue, file, one);
    await migrate(queue, one, two);
    fs.rmSync(path.join(queue.folder, 'logs'), { recursive: true });
    assert.deepEqual(await seen(queue, two), original);
  });

  test('secrets, users, tokens and schedules migrate too, and jobs get their secrets', {
    timeout: 120_000,
  }, async (t) => {
    const queue = newQueue(t);
    await queue.run(['secret', 'set', 'PASSWORD'], { input: 'much too secret' });
    await queue.run(['user', 'add', 'ann', '--role', 'viewer'], { input: 'a long enough password\n' });
    await queue.prepare('token', 'add', 'ci', '--role', 'viewer');
    await queue.prepare('schedule', 'add', 'hourly', '--every', '1h', 'true');
    const [server, file] = [await newSchema(t), path.join(queue.folder, 'back.db')];
    const moved = /^0 jobs with 0 attempts and 0 settings, 1 schedule, 1 secret, 1 user, 1 token migrated to /;
    assert.match(await queue.text('migrate', '--to', server), moved);
    assert.match(await queue.text('migrate', '--from', server, '--to', file), moved);
    for (const db of [server, file]) {
      assert.match(await queue.text('doctor', '--db', db), /the key on this host decrypts all secrets: 1/);
      const command = ['--secret', 'PASSWORD', 'printf %s "$PASSWORD" | wc -c'];
      assert.equal((await queue.text('run', '--db', db, ...command)).trim(), '15');
    }
  });

  test('secrets that migrate to a queue with another key are encrypted with that key', async (t) => {
    const queue = newQueue(t);
    const file = path.join(queue.folder, 'other.db');
    await queue.run(['secret', 'set', 'PASSWORD'], { input: 'much too secret' });
    await queue.run(['secret', 'set', 'OTHER', '--db', file], { input: 'another secret' });
    assert.match(await queue.text('migrate', '--to', file), /, 1 secret migrated to /);
    assert.match(await queue.text('doctor', '--db', file), /the key on this host decrypts all secrets: 2/);
    const command = ['--secret', 'PASSWORD', 'printf %s "$PASSWORD" | wc -c'];
    assert.equal((await queue.text('run', '--db', file, ...command)).trim(), '15');
  });

  test('jobs that an earlier run has migrated are recognised in every direction', {
    timeout: 120_000,
  }, async (t) => {
    const queue = await livedIn(t);
    const flow = [
      { id: 'parent', command: 'sleep 60', group: 'g', group_concurrency: 2, tags: ['x', 'y'] },
      {
        id: 'child',
        command: ['printf', 'é'],
        after: 'group:g',
        after_failure: 'parent',
        key: 'k',
        weight: 2,
        backoff_base: 1.5,
        timeout_seconds: 0.25,
        success_codes: [0, 3],
        hooks: { on_dead: 'true' },
        memory: '1G',
        unique_key: 'u',
      },
    ];
    await queue.prepare('enqueue', JSON.stringify(flow));
    const places = [await newSchema(t), path.join(queue.folder, 'b.db'), path.join(queue.folder, 'c.db')];
    places.push(await newSchema(t), await newSchema(t));
    let from = queue.db;
    for (const to of places) {
      const first = await migrate(queue, from, to);
      const again = await migrate(queue, from, to);
      assert.deepEqual([first.already_there, again.already_there], [0, 14], `${from} ${to}`);
      from = to;
    }
  });

  test('the migrated queue works: waiting jobs run, then new jobs', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('enqueue', JSON.stringify(['a', 'b'].map((id) => ({ id, command: `echo ${id}` }))));
    const server = await newSchema(t);
    const text = await queue.text('migrate', '--to', server);
    assert.match(text, /^2 jobs with 0 attempts and 0 settings migrated to postgres:\/\/\S+\n$/);
    await queue.text('enqueue', '--db', server, '--id', 'c', 'true');
    assert.deepEqual(await ids(queue, server), ['c', 'b', 'a']);
    assert.equal((await queue.run(['worker', 'run', '--drain', '--db', server])).code, 0);
    assert.match(await queue.text('logs', 'a', '--db', server), /\na\n/);
    assert.equal((await queue.show('a')).state, 'pending', 'the source is left as it was');
  });

  test('stdin of jobs migrates with them in both directions', { timeout: 120_000 }, async (t) => {
    const queue = newQueue(t);
    const bytes = Buffer.from(Array.from({ length: 9_000_000 }, (_, i) => (i * 31) % 256));
    fs.writeFileSync(path.join(queue.folder, 'input'), bytes);
    for (let i = 0; i < 5; i++) await queue.enqueue('--stdin', 'input', `cat > copy${i}`);
    const [server, back] = [await newSchema(t), path.join(queue.folder, 'back.db')];
    await migrate(queue, queue.db, server);
    await migrate(queue, server, back);
    assert.equal((await queue.run(['worker', 'run', '--drain', '--db', back])).code, 0);
    for (let i = 0; i < 5; i++) {
      const copy = fs.readFileSync(path.join(queue.folder, `copy${i}`));
      assert.ok(copy.equals(bytes), `copy ${i} has ${copy.length} bytes`);
    }
  });

  test('a target with its own schedules is left unchanged', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('schedule', 'add', 'mine', '--every', '1h', 'true');
    const there = path.join(queue.folder, 'there.db');
    await queue.text('schedule', 'add', 'theirs', '--every', '1h', 'true', '--db', there);
    const rejection = await queue.rejected(4, ['migrate', '--to', there]);
    assert.match(rejection, /for example 'the schedule theirs'/);
    await queue.text('schedule', 'remove', 'theirs', '--db', there);
    await queue.text('migrate', '--to', there);
    await queue.text('migrate', '--to', there);
    assert.match(await queue.text('schedule', 'list', '--db', there), /^mine /m);
  });

  test('a migration to PostgreSQL continues after kill -9', { timeout: 120_000 }, async (t) => {
    const queue = await manyJobs(t);
    const gate = await newGate(t);
    const server = await newSchema(t);
    await queue.text('init', '--db', server);
    await gate.shut(server);
    const started = queue.start(['migrate', '--to', server]);
    await until('one batch is over and the next one stands', async () => (await gate.waiting()) > 0);
    started.kill('SIGKILL');
    await started.ended;
    await gate.open(server);
    await until('what it left undone is undone', async () => (await gate.sessions(server)) === 0);
    for (const db of [queue.db, server]) await canWork(queue, db);
    assert.equal((await ids(queue, server)).length, AT_A_TIME);
    const moved = await migrate(queue, queue.db, server);
    assert.deepEqual([moved.jobs, moved.already_there], [MANY - AT_A_TIME, AT_A_TIME]);
    assert.deepEqual(await ids(queue, server), await ids(queue, queue.db));
    assert.match(await queue.text('logs', 'last', '--db', server), /the last/);
    const again = await migrate(queue, queue.db, server);
    assert.deepEqual([again.jobs, again.already_there], [0, MANY]);
  });

  test('a migration to a file continues after kill -9', { timeout: 120_000 }, async (t) => {
    const queue = await manyJobs(t);
    const holder = await connected(t, await sharedServer()); // lets go before the schema does
    const server = await newSchema(t);
    await migrate(queue, queue.db, server);
    const schema = quoted(new URL(server).searchParams.get('schema') ?? '');
    const file = path.join(queue.folder, 'new.db');
    await holder.query(`BEGIN; LOCK TABLE ${schema}.outputs`); // which only the last of them needs
    const started = queue.start(['migrate', '--from', server, '--to', file]);
    await until('some are over, and the next ones stand', async () => (await waitingFor(`${schema}.outputs`)) > 0);
    started.kill('SIGKILL');
    await started.ended;
    await holder.query('ROLLBACK');
    for (const db of [server, file]) await canWork(queue, db);
    assert.equal((await ids(queue, file)).length, 2 * AT_A_TIME);
    const moved = await migrate(queue, server, file);
    assert.deepEqual([moved.jobs, moved.already_there], [MANY - 2 * AT_A_TIME, 2 * AT_A_TIME]);
    assert.deepEqual(await ids(queue, file), await ids(queue, server));
    assert.match(await queue.text('logs', 'last', '--db', file), /the last/);
  });

  test('a migration is rejected while workers run on either side, and changes nothing', async (t) => {
    const queue = newQueue(t);
    const other = path.join(queue.folder, 'other.db');
    await queue.text('enqueue', '--id', 'a', 'true', '--db', other);
    const worker = await queue.worker();
    for (const [from, to] of [
      [queue.db, other],
      [other, queue.db],
    ] as const) {
      // biome-ignore format: two pairs
      const said = await queue.rejected(4, ['migrate', '--from', from, '--to', to]);
      assert.match(said, /1 worker of '.*home\/queue.db' running; migrate requires stopped workers/);
      assert.match(said, /hint: stop the workers first: queuectl --db '.*home\/queue.db' worker stop\n/);
    }
    await worker.leave();
    assert.deepEqual(await ids(queue, queue.db), []);
  });

  for (const kind of ['file', 'server'] as const) {
    test(`a worker that starts while a queue migrates to a ${kind} is rejected on both sides`, async (t) => {
      const queue = newQueue(t);
      const to = kind === 'file' ? path.join(queue.folder, 'new.db') : await newSchema(t);
      const [source, target] = [await Queue.open({ db: queue.db }), await Queue.open({ db: to })];
      t.after(async () => {
        await source.close();
        await target.close();
      });
      await source.store.enqueue([newJob('a')]);
      const rejections: string[] = [];
      const { overview } = source.store;
      source.store.overview = async () => {
        source.store.overview = overview;
        for (const db of [queue.db, to])
          for (const args of [
            ['worker', 'run', '--drain'],
            ['worker', 'start'],
          ])
            rejections.push((await queue.run([...args, '--db', db])).stderr);
        return overview();
      };
      assert.equal((await moveQueue(source, target, () => {})).jobs, 1);
      assert.equal(rejections.length, 4);
      for (const words of rejections) assert.match(words, /a migration from or to '/);
      for (const db of [queue.db, to]) await canWork(queue, db);
      assert.equal((await source.find('a')).attempts, 0);
    });
  }

  test('users and tokens migrate with the queue, sessions do not', async (t) => {
    const queue = newQueue(t);
    const [source, target] = [
      await Queue.open({ db: queue.db }),
      await Queue.open({ db: path.join(queue.folder, 'new.db') }),
    ];
    t.after(async () => {
      await source.close();
      await target.close();
    });
    const { accounts } = source.store;
    const made = { createdAt: 1, createdBy: 'ann' };
    await accounts.addUser({ ...made, name: 'ann', role: 'admin', passwordHash: 'h' });
    await accounts.addToken({
      ...{ ...made, id: 't', name: 'ci', role: 'viewer', hash: 'h' },
      ...{ expiresAt: 9, lastUsedAt: null },
    });
    const session = { ...made, hash: 's', kind: 'user', principal: 'ann', role: 'admin' } as const;
    await accounts.addSession({ ...session, expiresAt: 9 });
    await moveQueue(source, target, () => {});
    assert.deepEqual(await target.store.accounts.users(), await accounts.users());
    assert.deepEqual(await target.store.accounts.tokens(), await accounts.tokens());
    assert.equal(await target.store.accounts.sessionWith('s'), null);
  });

  test('a migration that loses its lock on a server reports a failure', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const name = `move ${process.pid}`;
    const to = addressWith(await newSchema(t), { application_name: name });
    const [source, target] = [await Queue.open({ db: queue.db }), await Queue.open({ db: to })];
    t.after(async () => {
      await source.close();
      await target.close();
    });
    const { overview } = source.store;
    source.store.overview = async () => {
      const ended = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND application_name = $1`;
      assert.equal((await ask(await sharedServer(), ended, [name])).length, 1);
      return overview();
    };
    const { message } = await rejection('move_incomplete', () => moveQueue(source, target, () => {}));
    assert.match(message, /the lock on 'postgres:.*' was lost, so a worker may have started there/);
  });

  test('jobs of a dead worker are requeued first', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'sleep 100');
    const worker = await queue.worker();
    await queue.untilState('a', 'processing');
    worker.kill('SIGKILL');
    await worker.ended;
    const file = path.join(queue.folder, 'new.db');
    await migrate(queue, queue.db, file);
    const job = await queue.json('show', 'a', '--db', file);
    assert.deepEqual([job.state, job.interruptions, job.locked_by], ['pending', 1, null]);
    await until('its process is ended', () => processesWith(queue.folder).length === 0);
  });

  test('a target with other jobs is rejected and left unchanged', async (t) => {
    const queue = newQueue(t);
    const [server, file] = [await newSchema(t), path.join(queue.folder, 'other.db')];
    await queue.prepare('enqueue', JSON.stringify(['a', 'b'].map((id) => ({ id, command: 'true' }))));
    await queue.prepare('config', 'set', 'max_retries', '9');
    for (const db of [server, file]) {
      await queue.text('enqueue', '--db', db, '--id', 'strange', 'true');
      const said = await queue.rejected(4, ['migrate', '--to', db]);
      assert.match(said, /already contains other jobs, for example 'strange'; nothing was changed/);
      assert.deepEqual(await ids(queue, db), ['strange']);
      assert.equal(await queue.text('config', 'get', 'max_retries', '--db', db), '3\n');
    }
  });

  test('migrating again does not reset a job that ran in the target', async (t) => {
    const queue = newQueue(t);
    const file = path.join(queue.folder, 'new.db');
    await queue.enqueue('--id', 'a', 'true');
    await migrate(queue, queue.db, file);
    assert.equal((await queue.run(['worker', 'run', '--drain', '--db', file])).code, 0);
    assert.match(await queue.rejected(4, ['migrate', '--to', file]), /for example 'a'/);
    assert.equal((await queue.json('show', 'a', '--db', file)).state, 'completed');
  });

  test('settings of the source win, and settings of the target alone are kept', async (t) => {
    const queue = newQueue(t);
    const file = path.join(queue.folder, 'new.db');
    await queue.prepare('config', 'set', 'max_retries', '1');
    await queue.text('config', 'set', 'max_retries', '2', '--db', file);
    await queue.text('config', 'set', 'backoff_base', '5', '--db', file);
    assert.equal((await migrate(queue, queue.db, file)).settings, 1);
    assert.equal(await queue.text('config', 'get', 'max_retries', '--db', file), '1\n');
    assert.equal(await queue.text('config', 'get', 'backoff_base', '--db', file), '5\n');
  });

  test('a missing, equal or empty source is rejected', async (t) => {
    const queue = newQueue(t);
    const server = await newSchema(t);
    await queue.enqueue('true');
    const link = path.join(queue.folder, 'link.db');
    fs.symlinkSync(queue.db, link);
    for (const [
      from,
      to,
    ] of [[queue.db, queue.db], [queue.db, link], [server, addressWith(server, { user: 'me' })]] as const) // biome-ignore format: pairs
      assert.match(await queue.rejected(2, ['migrate', '--from', from, '--to', to]), /are the same database/);
    assert.match(await queue.rejected(2, ['migrate']), /missing --to TARGET/);
    const nowhere = path.join(queue.folder, 'nowhere', 'queue.db');
    assert.match(await queue.rejected(3, ['migrate', '--from', nowhere, '--to', server]), /no queue found at/);
    assert.match(
      await queue.rejected(3, ['migrate', '--from', server, '--to', queue.db]),
      /no queue found at 'postgres/,
    );
    assert.ok(!fs.existsSync(path.dirname(nowhere)));
  });

  test('on a terminal the command shows its progress and how to use the target', {
    timeout: 60_000,
  }, async (t) => {
    const queue = await manyJobs(t);
    const { stdout } = await queue.onTerminal(80, 'queuectl migrate --to new.db');
    assert.match(stdout, /41 % {2}500 of 1,200 jobs copied/);
    assert.match(stdout, /1,200 jobs with 1 attempt and 0 settings migrated to \S+/);
    assert.match(stdout, /export QUEUECTL_DB='.*new.db'/);
  });

  test('a job added to the target during a migration is kept, and the migration is rejected', async (t) => {
    const { source, target } = await twoFiles(t);
    const { overview } = source.store;
    source.store.overview = async () => {
      await target.enqueue([{ id: 'meanwhile', command: 'true' }]);
      return overview();
    };
    const error = await rejection('target_not_empty', () => moveQueue(source, target, () => {}));
    assert.equal(error.details.id, 'a');
    assert.equal(await target.store.get('a'), null);
    assert.ok(await target.store.get('meanwhile'));
  });

  test('a job added to the source during a migration is reported and migrates on the next run', async (t) => {
    const { source, target } = await twoFiles(t);
    const { settings } = source.store;
    let done = 0;
    source.store.settings = async () => {
      if (done === 1) await source.store.enqueue([newJob('meanwhile')]);
      return settings();
    };
    const tell = (progress: MoveProgress): void => {
      ({ done } = progress);
    };
    const move = () => moveQueue(source, target, tell);
    const { message } = await rejection('move_incomplete', move);
    assert.match(message, /2 pending jobs of queue default in '.*queue.db', 1 in '.*new.db'/);
    source.store.settings = settings;
    const { jobs, alreadyThere } = await move();
    assert.deepEqual([jobs, alreadyThere], [1, 1]);
  });
});

/** A queue with the job a, and an empty one. */
async function twoFiles(t: TestContext): Promise<{ source: Queue; target: Queue }> {
  const { db, folder } = newQueue(t);
  const [source, target] = [await Queue.open({ db }), await Queue.open({ db: path.join(folder, 'new.db') })];
  t.after(async () => {
    await source.close();
    await target.close();
  });
  await source.store.enqueue([newJob('a')]);
  return { source, target };
}

async function connected(t: TestContext, url: string): Promise<pg.Client> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const client = new pg.Client({
    host: hostname,
    port: Number(port),
    user: username,
    password,
    database: pathname.slice(1),
  });
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** How many wait for this table. */
async function waitingFor(table: string): Promise<number> {
  const text = 'SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = $1::regclass';
  return Number((await ask(await sharedServer(), text, [table]))[0]?.n);
}

/** Lets the first batch into the jobs of a schema, and no other before it is opened. */
async function newGate(t: TestContext) {
  const server = await sharedServer();
  const holder = await connected(t, server);
  const key = process.pid;
  const number = async (text: string): Promise<number> => Number((await ask(server, text))[0]?.count);
  const schemaOf = (url: string): string => quoted(new URL(url).searchParams.get('schema') ?? '');
  return {
    shut: async (url: string) => {
      await holder.query(`SELECT pg_advisory_lock(${key})`);
      await holder.query(`
        CREATE FUNCTION ${schemaOf(url)}.gate() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock_shared(${key}); RETURN NEW; END';
        CREATE TRIGGER gate BEFORE INSERT ON ${schemaOf(url)}.jobs FOR EACH ROW WHEN (NEW.seq > ${AT_A_TIME})
          EXECUTE FUNCTION ${schemaOf(url)}.gate()`);
    },
    waiting: () =>
      number(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ${key}`),
    open: async (url: string) => {
      await holder.query(`SELECT pg_advisory_unlock(${key})`);
      await holder.query(`DROP TRIGGER gate ON ${schemaOf(url)}.jobs`);
    },
    sessions: (url: string) =>
      number(`SELECT count(*) FROM pg_locks WHERE relation = '${schemaOf(url)}.jobs'::regclass`),
  };
}
