// What a queue of version 1 must be after the way up to the newest schema, whatever store it is in.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JobState } from '../../src/job/job.ts';
import type { Store } from '../../src/store/store.ts';

export const versionOne = (engine: 'sqlite' | 'postgres'): string =>
  readFileSync(path.join(import.meta.dirname, '..', 'fixtures', `version-1.${engine}.sql`), 'utf8');

const STATES: Readonly<Record<string, JobState>> = {
  completed: 'completed',
  dead: 'dead',
  'dead-program': 'dead',
  failed: 'failed',
  'pending-first': 'completed',
  pending: 'pending',
  scheduled: 'pending',
  cancelled: 'cancelled',
  blocked: 'blocked',
  processing: 'processing',
};

export async function expectVersionOne(store: Store): Promise<void> {
  const jobs = await store.list({ sort: 'created', descending: false, limit: null });
  assert.deepEqual(Object.fromEntries(jobs.map(({ id, state }) => [id, state])), STATES);
  assert.deepEqual(await store.check(), []);
  const pending = await store.find('pending');
  assert.deepEqual(pending.env, { NAME: 'a "quoted" value\n2nd line' });
  assert.equal(pending.timeoutSeconds, 1.5);
  const { command } = await store.find('dead-program');
  assert.deepEqual(command, ['/nonexistent/program', 'an "arg"', 'ünï 🎉']);
  const [attempt] = await store.history('dead');
  assert.equal(attempt?.number, 1);
  assert.equal(attempt?.exitCode, 2);
  assert.deepEqual([await store.accounts.users(), await store.activity.list(1)], [[], []]);
  assert.deepEqual(await store.settings(), { backoff_max: 60, kill_grace: 1 });
}
