// Due schedules, some of them unreadable.

import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { TickSchedules } from '../../src/maintenance/tick-schedules.ts';
import type { ScheduleSpec } from '../../src/schedule/schedule.ts';
import { Settings } from '../../src/settings/settings.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { T0 } from '../support/jobs.ts';

const MINUTE = 60_000;
const SPEC: ScheduleSpec = {
  timing: { kind: 'every', everyMs: MINUTE, anchor: T0, zone: 'UTC' },
  jitterMs: 0,
  catchUp: 'one',
  catchUpWindowMs: null,
  catchUpMax: 100,
  overlap: 'allow',
};
/** More than one batch. */
const UNREADABLE = 60;

test('unreadable schedules do not delay others', async (t) => {
  const file = path.join(temporaryFolder(t), 'queue.db');
  const store = await openSqlite(file, { wakePath: `${file}.wake`, clock: () => T0 + 2 * MINUTE });
  t.after(() => store.close());
  const schedule = (name: string, nextAt: number) => ({ name, spec: SPEC, job: { command: 'true' }, nextAt });
  const bad = Array.from({ length: UNREADABLE }, (_, i) => schedule(`bad-${i}`, T0 + i));
  await store.schedules.add([...bad, schedule('good', T0 + MINUTE)], null);
  const database = new DatabaseSync(file);
  database.exec("UPDATE schedules SET spec = '{}' WHERE name LIKE 'bad-%'");
  database.exec("UPDATE schedules SET spec = 'no JSON' WHERE name = 'bad-7'");
  database.close();
  const said: string[] = [];
  const ticks = new TickSchedules(store, () => new Settings({}, {}), (line) => said.push(line)); // biome-ignore format: one line
  assert.equal(await ticks.runOnce(), 1);
  assert.equal((await store.schedules.ticks('good', 5))[0]?.outcome, 'enqueued');
  assert.equal(said.length, UNREADABLE);
  assert.match(said[7] ?? '', /^schedule bad-7 is invalid: /);
});
