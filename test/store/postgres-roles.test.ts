// Roles that can do less: the statements of docs/guides/postgresql.md, run as they stand there, and what they let a role do.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { environmentOf } from '../../src/job/environment/environment.ts';
import { forgetAccess } from '../../src/maintenance/store-chores.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { Store } from '../../src/store/store.ts';
import { newQueue } from '../cli/support.ts';
import { policy } from '../contract/bench.ts';
import { endings, newJob } from '../support/jobs.ts';
import { ask } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { newSchedule } from './populated.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';
import { outputOf } from '../contract/outputs.ts';
import { plainWorker, rescue, sign } from '../support/workers.ts';

const page = fs.readFileSync(path.join(import.meta.dirname, '../../docs/guides/postgresql.md'), 'utf8');

/** The statements under a comment of the page. */
function statements(title: string): string {
  const block = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql ?? '');
  const found = block.find((sql) => sql.startsWith(`-- ${title}\n`));
  return found ?? assert.fail(`docs/guides/postgresql.md has no statements for '${title}'`);
}

let place: PostgresPlace;
let owner: Store;
const roles: string[] = [];

/** The address of the queue for a role of its own, with what the page grants it. */
async function roleWith(name: string, ...titles: string[]): Promise<string> {
  const role = `role_${roles.length}_${process.pid}`;
  roles.push(role);
  for (const title of titles) {
    const sql = statements(title)
      .replaceAll(new RegExp(`\\b${name}\\b`, 'g'), role)
      .replaceAll('SCHEMA queuectl', `SCHEMA ${quoted(place.schema)}`)
      .replaceAll('queuectl.', `${quoted(place.schema)}.`);
    await ask(place.server, sql);
  }
  const address = new URL(place.url);
  address.username = role;
  address.password = 'choose one';
  return address.href;
}

async function open(t: { after(work: () => Promise<void>): void }, url: string): Promise<Store> {
  const store = await openPostgres(url);
  t.after(() => store.close());
  return store;
}

const REJECTED_TO_ENQUEUERS = [
  ['list'],
  ['show', 'shown'],
  ['logs', 'shown'],
  ['wait', 'shown'],
  ['cancel', 'shown'],
  ['retry', 'shown'],
  ['delete', 'shown'],
  ['metrics'],
  ['dlq', 'list'],
  ['dlq', 'retry', '--all'],
  ['prune', '--older-than', '1d', '--yes'],
  ['reset', '--yes'],
  ['config', 'set', 'max_retries', '2'],
  ['worker', 'run'],
  ['worker', 'start'],
];

/** Roles that may see that there are no dead jobs may retry them all: nothing changes. */
const rejectedTo = (titles: readonly string[]): string[][] =>
  titles.length === 1 ? REJECTED_TO_ENQUEUERS : REJECTED_TO_ENQUEUERS.filter((args) => args[1] !== 'retry');

const newest = { sort: 'created', descending: true, limit: 10 } as const;
const worker = {
  ...plainWorker,
  id: 'w',
  host: 'h',
  pid: 1,
  pidStartedAt: null,
  bootId: 'b',
  concurrency: 2,
};
const turn = (more: object = {}): Parameters<Store['turn']>[0] => ({
  worker,
  started: [],
  ended: [],
  want: 0,
  queues: null,
  policy,
  maxConcurrentJobs: null,
  logPath: (id, run) => `${id}.${run}.log`,
  ...more,
});

describe('on a server with several roles', () => {
  before(async () => {
    place = await postgresPlace();
    owner = await openPostgres(place.url);
  });
  after(async () => {
    await owner.close();
    for (const role of roles) {
      await ask(place.server, `DROP OWNED BY ${role} CASCADE`);
      await ask(place.server, `DROP ROLE ${role}`);
    }
    await place.remove();
  });

  describe('an enqueue-only role', () => {
    let url: string;
    before(async () => {
      url = await roleWith('queuectl_enqueue', 'enqueue: put jobs in');
    });

    test('enqueues one job and many, and learns if an ID is taken', async (t) => {
      const store = await open(t, url);
      assert.equal((await store.enqueue([newJob('one')]))[0]?.state, 'pending');
      const stage = await store.stage();
      await stage.add([newJob('two'), newJob('three', { env: { SECRET: 'x' } })]);
      assert.equal(await stage.commit(), 2);
      await stage.discard();
      await rejection('job_exists', () => store.enqueue([newJob('one')]));
      const [queue] = (await owner.overview()).queues;
      assert.equal(queue?.counts.pending, 3);
      assert.deepEqual(await owner.check(), []);
    });

    test('passes an environment on only with that grant', async (t) => {
      const environment = environmentOf({ TOKEN: 'secret' });
      const rejecting = await open(t, url);
      await rejection('store_forbidden', () => rejecting.enqueue([newJob('no')], environment));
      const titles = ['enqueue: put jobs in', 'enqueue: with the environment of the shell'];
      const allowing = await open(t, await roleWith('queuectl_enqueue', ...titles));
      await allowing.enqueue([newJob('first')], environment);
      await allowing.enqueue([newJob('second')], environment);
      assert.deepEqual(await owner.environments.ofJob('second'), { TOKEN: 'secret' });
      await rejection('store_forbidden', () => allowing.environments.sweep(0, 10));
      await owner.remove(['first', 'second']);
    });

    test('reads the settings that provide defaults for new jobs', async (t) => {
      const store = await open(t, url);
      await owner.saveSetting('max_retries', 9);
      assert.deepEqual(await store.settings(), { max_retries: 9 });
      await rejection('store_forbidden', () => store.saveSetting('max_retries', 1));
    });

    test('can neither read, claim, change nor delete jobs', async (t) => {
      const store = await open(t, url);
      await owner.enqueue([newJob('theirs', { env: { SECRET: 'x' } })]);
      const attempts: [string, () => Promise<unknown>][] = [
        ['get', () => store.get('theirs')],
        ['list', () => store.list(newest)],
        ['history', () => store.history('theirs')],
        ['overview', () => store.overview()],
        ['register', () => store.registerWorker(worker)],
        ['claim', () => store.turn(turn({ want: 1 }))],
        ['cancel', () => store.cancel(['theirs'])],
        ['remove', () => store.remove(['theirs'])],
        ['change some', () => store.changeSome(['theirs'], {}, { kind: 'retry' })],
        ['hold', () => store.change(['theirs'], { kind: 'hold', reason: 'x' })],
        ['error groups', () => store.errorGroups({}, 10)],
        ['prune', () => store.prune({ states: ['completed'] }, 10)],
        ['reset', () => store.reset()],
        ['read output', () => store.outputs.read('theirs', 1, 0, 10)],
      ];
      for (const [what, attempt] of attempts) {
        const error = await rejection('store_forbidden', attempt);
        assert.match(error.message, /permission denied for (table|view) \w+/, what);
        assert.equal(error.exitCode, 5);
      }
      assert.equal((await owner.get('theirs'))?.state, 'pending');
    });

    test('cannot read commands and environments with SQL', async () => {
      for (const column of ['env', 'command', '*']) {
        const sql = `SELECT ${column} FROM ${quoted(place.schema)}.jobs`;
        await assert.rejects(ask(url.split('?')[0] ?? '', sql), /permission denied/);
      }
    });
  });

  test('a role that may enqueue and read the status sees no commands', async (t) => {
    const url = await roleWith('queuectl_enqueue', 'enqueue: put jobs in', 'enqueue: see status as well');
    const store = await open(t, url);
    await store.enqueue([newJob('seen')]);
    assert.ok((await store.overview()).queues[0]?.counts.pending);
    assert.deepEqual(await store.workers(), []);
    await rejection('store_forbidden', () => store.get('seen'));
    await rejection('store_forbidden', () => store.list(newest));
    await rejection('store_forbidden', () => store.registerWorker(worker));
  });

  for (const [who, titles] of [
    ['may only enqueue', ['enqueue: put jobs in']],
    ['may enqueue and see the status', ['enqueue: put jobs in', 'enqueue: see status as well']],
  ] as const) {
    test(`a role that ${who} is rejected by every other command, with one sentence and exit code 5`, async (t) => {
      const env = { QUEUECTL_DB: await roleWith('queuectl_enqueue', ...titles) };
      const queue = newQueue(t);
      await owner.enqueue([newJob(`shown to nobody ${titles.length}`.replaceAll(' ', '-'))]);
      for (const args of rejectedTo(titles)) {
        const words = await queue.rejected(5, args, { env });
        assert.match(words, /permission denied for (table|view) \w+/, args.join(' '));
      }
      const words = await queue.rejected(5, ['run', '--id', `ran-${titles.length}`, 'true'], { env });
      assert.match(
        words,
        new RegExp(`permission denied .*; job 'ran-${titles.length}' enqueued, but its output cannot be shown`),
      );
      assert.equal((await owner.find(`ran-${titles.length}`)).state, 'pending');
    });
  }

  describe('a worker role', () => {
    let url: string;
    before(async () => {
      url = await roleWith('queuectl_work', 'work: everything a worker does');
    });

    test('decides about scheduled runs', async (t) => {
      const store = await open(t, url);
      await store.schedules.add([newSchedule(1)], null);
      const [seen] = await store.schedules.due(5);
      assert.ok(seen);
      const jobs = [newJob('ticked', { schedule: seen.name, scheduledAt: seen.nextAt })];
      const made = await store.schedules.decide([{ seen, nextAt: null, jobs, cancel: [], skipped: [] }]);
      assert.equal(made, 1);
      await store.schedules.remove([seen.name]);
    });

    test('does everything that a worker does', async (t) => {
      const store = await open(t, url);
      await owner.reset();
      await owner.enqueue([newJob('a'), newJob('b', { runAt: 1 }), newJob('c')]);
      let woken = 0;
      t.after(async () => stopListening());
      const stopListening = store.onWake(() => woken++);
      await store.registerWorker(worker);
      const { claimed } = await store.turn(turn({ want: 2 }));
      assert.equal(claimed.length, 2);
      const [first, second] = claimed.map(({ seq, run }) => ({ seq, run }));
      assert.ok(first && second);
      await store.turn(turn({ started: [{ ...first, pid: 1, pidStartedAt: null }] }));
      await store.outputs.keep([{ ...first, from: 0, data: Buffer.from('out') }]);
      assert.equal((await store.renew(worker.id, sign('fine')))?.length, 2);
      const output = outputOf('put', 3);
      const { settled } = await store.turn(turn({ ended: [{ ...first, ending: endings.completed, output }] }));
      assert.deepEqual(settled, [{ ...first, state: 'completed' }]);
      assert.equal(String((await store.outputs.read('a', 1, 0, 10)).data), 'output');
      await store.turn(turn({ want: 1, maxConcurrentJobs: 2 }));
      assert.equal((await rescue(store, worker.id, policy))?.length, 2);
      await store.repairBackoffs();
      assert.equal((await store.prune({ states: ['completed'] }, 10)).jobs, 1);
      await store.registerWorker(worker);
      await store.requestStop([worker.id], 'graceful');
      assert.deepEqual(await rescue(store, worker.id, policy), []);
      assert.deepEqual(await store.check(), []);
    });

    test('changes jobs on behalf of users', async (t) => {
      const store = await open(t, url);
      await store.enqueue([newJob('x')]);
      await store.cancel(['x']);
      await store.retry(['x'], ['cancelled']);
      await store.remove(['x']);
      await store.figures();
      await store.reset();
    });

    test('records actions and deletes old entries, and changes no account', async (t) => {
      const store = await open(t, url);
      const entry = { at: 1, actor: 'ann', via: 'cli', action: 'reset', target: null, detail: null } as const;
      await store.activity.record(entry);
      assert.equal((await store.activity.list(1)).length, 1);
      assert.equal(await forgetAccess(store).runOnce(), 0);
      const session = { hash: 'h', kind: 'owner', principal: 'owner', role: 'admin' } as const;
      const forged = { ...session, createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER };
      await rejection('store_forbidden', () => store.accounts.addSession(forged));
      await rejection('store_forbidden', () => store.accounts.users());
      await rejection('store_forbidden', () => store.accounts.removeToken('t'));
    });

    test('that may not write the activity log warns about it, and its action is done', async (t) => {
      const other = await roleWith('queuectl_work', 'work: everything a worker does');
      await ask(place.server, `REVOKE ALL ON ${quoted(place.schema)}.activity FROM ${roles.at(-1)}`);
      await owner.enqueue([newJob('unrecorded')]);
      const { code, stderr } = await newQueue(t).run(['cancel', 'unrecorded'], {
        env: { QUEUECTL_DB: other },
      });
      assert.equal(code, 0);
      assert.match(stderr, /^change applied, but not recorded in the audit log: .*permission denied.*\n$/);
      assert.equal((await owner.get('unrecorded'))?.state, 'cancelled');
    });

    test('runs a server with that grant', async (t) => {
      const titles = [
        'work: everything a worker does',
        'serve: everything that queuectl serve does, for a role that works',
      ];
      const { accounts, idempotency } = await open(t, await roleWith('queuectl_work', ...titles));
      const made = { role: 'viewer', createdAt: 1, createdBy: 'ann' } as const;
      await accounts.addUser({ ...made, name: 'ann', passwordHash: 'h' });
      await accounts.addSession({ ...made, hash: 's', kind: 'user', principal: 'ann', expiresAt: 9 });
      assert.equal((await accounts.sessionWith('s'))?.role, 'viewer');
      await accounts.removeUser('ann');
      await accounts.addToken({ ...made, id: 't', name: 't', hash: 'h', expiresAt: null, lastUsedAt: null });
      await accounts.tokenUsed('t', 5);
      await accounts.removeToken('t');
      const request = { principal: 'ann', key: 'k', requestHash: 'h', createdAt: 1 };
      await idempotency.begin(request, 0);
      await idempotency.finish(request, 'done');
      await idempotency.forget(2);
    });

    test('changes no settings, and neither drops nor alters anything', async (t) => {
      const store = await open(t, url);
      await rejection('store_forbidden', () => store.saveSetting('max_retries', 1));
      const schema = quoted(place.schema);
      const plain = url.split('?')[0] ?? '';
      for (const sql of [
        `DROP TABLE ${schema}.jobs`,
        `TRUNCATE ${schema}.jobs`,
        `ALTER TABLE ${schema}.jobs ADD COLUMN more text`,
        `CREATE TABLE ${schema}.more (n int)`,
        `DROP TRIGGER count_moved ON ${schema}.jobs`,
        `DROP SCHEMA ${schema} CASCADE`,
      ]) {
        await assert.rejects(ask(plain, sql), /must be owner|permission denied/, sql);
      }
    });
  });
});
