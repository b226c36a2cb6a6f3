// The schema: applied once, whoever comes at the same time.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newJob } from '../support/jobs.ts';
import { expectVersionOne, versionOne } from './version-1.ts';

const OPENERS = 4;
const ROUNDS = 30;

test('processes that open a new queue at once all succeed, and the schema is applied once', async (t) => {
  const folder = temporaryFolder(t);
  const openers = await Promise.all(Array.from({ length: OPENERS }, () => Opener.start(t)));
  for (let round = 0; round < ROUNDS; round++) {
    const file = path.join(folder, `queue${round}.db`);
    const answers = await Promise.all(openers.map((opener) => opener.open(file)));
    assert.deepEqual(answers, Array(OPENERS).fill('opened'));
    assert.deepEqual(
      migrationsIn(file),
      Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1),
    );
  }
});

test('an existing empty file becomes a queue', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  new DatabaseSync(file).close();
  const store = await openSqlite(file, { wakePath: `${file}.wake` });
  t.after(() => store.close());
  await store.enqueue([newJob('a')]);
});

test('opening an up-to-date queue changes nothing in it', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  for (let i = 0; i < 2; i++) await (await openSqlite(file, { wakePath: `${file}.wake`, clock: () => i })).close();
  const db = new DatabaseSync(file, { readOnly: true });
  t.after(() => db.close());
  const rows = db.prepare('SELECT applied_at FROM migrations').all();
  assert.deepEqual(
    rows.map(({ applied_at }) => applied_at),
    Array(SCHEMA_VERSION).fill(0),
  );
});

test('a queue of version 1 with jobs in every state is upgraded without loss', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const old = new DatabaseSync(file);
  old.exec(versionOne('sqlite'));
  old.close();
  const store = await openSqlite(file, { wakePath: `${file}.wake` });
  t.after(() => store.close());
  await expectVersionOne(store);
  assert.equal(migrationsIn(file).length, SCHEMA_VERSION);
});

function migrationsIn(file: string): number[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT version FROM migrations ORDER BY version').all();
  db.close();
  return rows.map(({ version }) => Number(version));
}

class Opener {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  private constructor(child: ChildProcess) {
    if (!child.stdout) throw new Error('nothing to read from');
    this.child = child;
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static async start(t: TestContext): Promise<Opener> {
    const script = path.join(import.meta.dirname, 'open-child.ts');
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const opener = new Opener(child);
    t.after(async () => {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'exit');
    });
    assert.equal(await opener.answer(), 'ready');
    return opener;
  }

  open(file: string): Promise<string> {
    this.child.stdin?.write(`${file}\n`);
    return this.answer();
  }

  private async answer(): Promise<string> {
    return (await this.lines.next()).value ?? 'ended';
  }
}
