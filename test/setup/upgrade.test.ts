// Upgrades with running jobs, by two real programs on both databases: from the previous version to this one, and from this
// one to the next, which has one more migration.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { postgresPlace } from '../store/postgres-place.ts';
import { until } from '../support/until.ts';
import { launcher, repository, type Result, run, start, temporaryFolder } from './clone.ts';
import { NEXT_VERSION, nextClone, previousClone } from './versions.ts';

type Ending = Parameters<typeof temporaryFolder>[0];

/** Files of all tests, because each program is built once. */
const files = { after } as unknown as Ending;
const previous = previousClone(files);
const next = nextClone(files);

/** Commands of two programs on one queue. */
class Upgrade {
  readonly folder: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor(folder: string, db?: string) {
    this.folder = folder;
    const own = Object.entries(process.env).filter(([name]) => !/^(QUEUECTL_|XDG_)/.test(name));
    this.env = { ...Object.fromEntries(own), QUEUECTL_HOME: path.join(folder, 'home'), ...(db && { QUEUECTL_DB: db }) };
  }

  run(clone: string, ...args: string[]): Promise<Result> {
    return run(launcher(clone), { args, cwd: this.folder, env: this.env });
  }

  start(clone: string, ...args: string[]): ReturnType<typeof start> {
    return start(launcher(clone), { args, cwd: this.folder, env: this.env });
  }

  async json<T>(clone: string, ...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(clone, ...args, '--json');
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  async states(clone: string): Promise<Record<string, string>> {
    const jobs = await this.json<{ id: string; state: string }[]>(clone, 'list');
    return Object.fromEntries(jobs.map(({ id, state }) => [id, state]));
  }
}

const JOBS = JSON.stringify([
  { id: 'running', command: 'touch began; until [ -e end ]; do sleep 0.05; done; echo finished', priority: 1 },
  { id: 'waiting', command: 'true' },
  { id: 'failing', command: 'exit 3', max_retries: 0, queue: 'other' },
  { id: 'later', command: 'true', run_at: '2099-01-01T00:00:00Z', queue: 'later' },
]);

interface Worker {
  readonly id: string;
  readonly state: string;
  readonly version?: string | null;
}

/** From the old program to the new one while a job runs, then what the old one can still do. */
async function upgradesWhileAJobRuns(upgrade: Upgrade, old: string, fresh: string): Promise<{ worker: Result }> {
  await upgrade.json(old, 'enqueue', JOBS);
  assert.equal((await upgrade.run(old, 'worker', 'run', '--queue', 'other', '--exit-when-empty')).code, 0);
  const worker = upgrade.start(old, 'worker', 'run');
  let isOver = false;
  void worker.ended.then(() => (isOver = true));
  try {
    await until('the job runs', () => fs.existsSync(path.join(upgrade.folder, 'began')));
    assert.equal((await upgrade.run(old, 'export', '--all', 'backup.ndjson')).code, 0);

    assert.deepEqual(await upgrade.states(fresh), {
      running: 'processing',
      waiting: 'pending',
      failing: 'dead',
      later: 'pending',
    });
    const [listed] = await upgrade.json<Worker[]>(fresh, 'worker', 'list');
    assert.ok(listed && listed.state !== 'lost', 'the new program lists the old worker');
    const { checks } = await upgrade.json<{ checks: { name: string; status: string; hint: string }[] }>(
      fresh,
      'doctor',
    );
    const versions = checks.find(({ name }) => name === 'versions');
    assert.equal(versions?.status, 'warn', 'doctor reports the old worker');
    assert.ok(versions.hint.endsWith(`queuectl worker stop ${listed.id}`), versions.hint);

    const refused = await upgrade.run(old, 'status');
    assert.equal(refused.code, 5);
    assert.match(
      refused.stderr,
      /^error: database '.+' has schema version \d+; this queuectl supports up to \d+\n hint: upgrade queuectl on this host; the database was not changed\n$/,
    );

    fs.writeFileSync(path.join(upgrade.folder, 'end'), '');
    const result = await worker.ended;
    const states = await upgrade.states(fresh);
    assert.deepEqual(
      [states.running, states.waiting],
      ['completed', 'pending'],
      'it finished its job and took no other',
    );
    assert.deepEqual(await upgrade.json(fresh, 'worker', 'list'), []);
    const { attempts, interruptions } = await upgrade.json<Record<string, number>>(fresh, 'show', 'running');
    assert.deepEqual([attempts, interruptions], [1, 0]);
    assert.match((await upgrade.run(fresh, 'logs', 'running')).stdout, /^finished$/m);

    assert.equal((await upgrade.run(fresh, 'worker', 'run', '--queue', 'default', '--exit-when-empty')).code, 0);
    assert.equal((await upgrade.states(fresh)).waiting, 'completed', 'the new worker continues');
    return { worker: result };
  } finally {
    fs.writeFileSync(path.join(upgrade.folder, 'end'), '');
    if (!isOver) worker.interrupt('SIGTERM');
    await worker.ended;
  }
}

/** With the backup that it wrote before the upgrade. */
async function goesBack(upgrade: Upgrade, old: string): Promise<void> {
  const restored = new Upgrade(upgrade.folder, path.join(upgrade.folder, 'restored.db'));
  const { code, stderr } = await restored.run(old, 'import', 'backup.ndjson');
  assert.equal(code, 0, stderr);
  const { running, ...others } = await restored.states(old);
  assert.ok(['pending', 'processing'].includes(running ?? ''));
  assert.deepEqual(others, { waiting: 'pending', failing: 'dead', later: 'pending' });
}

const places: Readonly<Record<string, (t: Ending) => Promise<Upgrade>>> = {
  SQLite: async (t) => new Upgrade(temporaryFolder(t)),
  PostgreSQL: async (t) => {
    const { url, remove } = await postgresPlace(`upgrade_${process.pid}_${Math.random().toString(36).slice(2, 8)}`);
    t.after(remove);
    return new Upgrade(temporaryFolder(t), url);
  },
};

for (const [name, newPlace] of Object.entries(places)) {
  describe(`an upgrade on ${name}`, () => {
    test('to the next version: the worker finishes its job and exits, and the next version continues', async (t) => {
      const upgrade = await newPlace(t);
      const { worker } = await upgradesWhileAJobRuns(upgrade, repository, next);
      assert.equal(worker.code, 5, 'a service manager starts it again');
      assert.match(
        worker.stderr,
        /error: the worker has stopped, because a newer queuectl has migrated the database\n/,
      );
      const { version } = await upgrade.json<{ version: string }>(next, '--version');
      assert.equal(version, NEXT_VERSION);
      await goesBack(upgrade, repository);
    });

    test('from the previous version: the worker finishes its job and exits, and this version continues', async (t) => {
      assert.ok(
        previous || !process.env.GITHUB_ACTIONS,
        'the previous version is not in the history: check out with fetch-depth: 0',
      );
      if (previous === null)
        t.diagnostic('this clone has no history: upgraded from this version instead of the previous');
      const upgrade = await newPlace(t);
      const [old, fresh] = previous === null ? [repository, next] : [previous, repository];
      await upgradesWhileAJobRuns(upgrade, old, fresh);
      await goesBack(upgrade, old);
    });
  });
}
