// Schedules: kept, changed and ticked so that each tick makes one job at the most, whoever else is at it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentOf } from '../../src/job/environment/environment.ts';
import type { NewJob } from '../../src/job/job.ts';
import type { NewSchedule, Schedule, ScheduleSpec } from '../../src/schedule/schedule.ts';
import type { TickDecision } from '../../src/store/store.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import type { Bench, MakeBench } from './bench.ts';

const MINUTE = 60_000;
const SPEC: ScheduleSpec = {
  timing: { kind: 'every', everyMs: MINUTE, anchor: T0, zone: 'UTC' },
  jitterMs: 0,
  catchUp: 'one',
  catchUpWindowMs: null,
  catchUpMax: 100,
  overlap: 'allow',
};

const schedule = (name: string, more: Partial<NewSchedule> = {}): NewSchedule => ({
  name,
  spec: SPEC,
  job: { command: ['echo', 'é'], env: { A: 'b' } },
  nextAt: T0 + MINUTE,
  ...more,
});

async function added(b: Bench, ...names: string[]): Promise<Schedule> {
  const [first] = await b.store.schedules.add(names.map((name) => schedule(name)), null); // biome-ignore format: one line
  if (!first) throw new Error('nothing was added');
  return first;
}

const tickJob = (name: string, at: number, id = `${name}-${at}`, more: Partial<NewJob> = {}): NewJob =>
  newJob(id, { schedule: name, scheduledAt: at, ...more });

const decision = (seen: Schedule, more: Partial<TickDecision> = {}): TickDecision => ({
  seen,
  nextAt: (seen.nextAt ?? 0) + MINUTE,
  jobs: [tickJob(seen.name, seen.nextAt ?? 0)],
  cancel: [],
  skipped: [],
  ...more,
});

const reread = async (b: Bench, name = 's'): Promise<Schedule> => {
  const found = await b.store.schedules.get(name);
  if (!found) throw new Error(`there is no schedule ${name}`);
  return found;
};

export function schedules(bench: MakeBench): void {
  test('a schedule is returned as stored', async (t) => {
    const b = await bench(t);
    const given = schedule('s', { spec: { ...SPEC, jitterMs: 5, catchUpWindowMs: 7, overlap: 'skip' } });
    const expected = { ...given, pausedAt: null, createdAt: T0, updatedAt: T0 };
    assert.deepEqual(await b.store.schedules.add([given], null), [expected]);
    assert.deepEqual(await b.store.schedules.get('s'), expected);
    assert.equal(await b.store.schedules.get('S'), null);
  });

  test('schedules are sorted by name', async (t) => {
    const b = await bench(t);
    await added(b, 'b', 'a', 'B', 'c');
    assert.deepEqual((await b.store.schedules.all()).map(({ name }) => name), ['B', 'a', 'b', 'c']); // biome-ignore format: one line
  });

  test('a taken name is rejected, and no schedule of its batch is added', async (t) => {
    const b = await bench(t);
    await added(b, 'a');
    const error = await rejection('schedule_exists', () => added(b, 'b', 'a'));
    assert.match(error.message, /'a'/);
    await rejection('schedule_exists', () => added(b, 'c', 'c'));
    assert.equal((await b.store.schedules.all()).length, 1);
  });

  test('a run whose unique job already exists is skipped and names that job', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    b.later(MINUTE);
    const job = (at: number, more: Partial<NewJob> = {}) => tickJob('s', at, `s-${at}`, { uniqueKey: 'k', ...more });
    await b.enqueue(newJob('there', { uniqueKey: 'k' }));
    assert.equal(await b.store.schedules.decide([decision(seen, { jobs: [job(T0 + MINUTE)] })]), 0);
    const byHand = await b.store.schedules.runNow('s', job(T0 + MINUTE + 5));
    assert.equal(byHand?.id, 'there');
    const replacing = [job(T0 + 2 * MINUTE, { ifExists: 'replace' })];
    assert.equal(await b.store.schedules.decide([decision(await reread(b), { jobs: replacing })]), 1);
    const ticks = await b.store.schedules.ticks('s', 9);
    assert.deepEqual(
      ticks.map(({ at, outcome, reason, jobId }) => [at - T0, outcome, reason, jobId]),
      [
        [2 * MINUTE, 'enqueued', null, `s-${T0 + 2 * MINUTE}`],
        [MINUTE + 5, 'skipped', 'not_unique', 'there'],
        [MINUTE, 'skipped', 'not_unique', 'there'],
      ],
    );
  });

  test('due schedules are returned at their time, longest due first', async (t) => {
    const b = await bench(t);
    const at = (name: string, nextAt: number | null) => schedule(name, { nextAt });
    await b.store.schedules.add([at('late', T0 + 5), at('early', T0 + 3), at('ended', null), at('far', T0 + 9)], null);
    b.later(2);
    assert.deepEqual(await b.store.schedules.due(10), []);
    b.later(3);
    assert.deepEqual((await b.store.schedules.due(10)).map(({ name }) => name), ['early', 'late']); // biome-ignore format: one line
    assert.equal((await b.store.schedules.due(1)).length, 1);
    assert.deepEqual((await b.store.schedules.due(1, ['early'])).map(({ name }) => name), ['late']); // biome-ignore format: one line
  });

  test('a turn reports when the next run is due, without paused and ended schedules', async (t) => {
    const b = await bench(t);
    assert.equal((await b.turn()).nextTickAt, null);
    await b.store.schedules.add([schedule('a', { nextAt: T0 + 3 }), schedule('b', { nextAt: T0 + 5 }), schedule('c', { nextAt: null })], null); // biome-ignore format: one line
    assert.equal((await b.turn()).nextTickAt, T0 + 3);
    const a = await reread(b, 'a');
    await b.store.schedules.change(a, { ...a, pausedAt: T0, skipped: [] });
    assert.equal((await b.turn({ want: 1 })).nextTickAt, T0 + 5);
    await b.enqueue('job');
    assert.equal((await b.turn({ want: 1 })).nextTickAt, T0 + 5, 'a turn that claims tells it too');
    await b.store.schedules.remove(['b']);
    assert.equal((await b.turn()).nextTickAt, null);
  });

  test('a run creates its job, is recorded and advances the schedule', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    b.later(MINUTE);
    assert.equal(await b.store.schedules.decide([decision(seen)]), 1);
    const job = await b.job(`s-${T0 + MINUTE}`);
    assert.deepEqual([job.schedule, job.scheduledAt, job.state], ['s', T0 + MINUTE, 'pending']);
    assert.equal((await reread(b)).nextAt, T0 + 2 * MINUTE);
    assert.deepEqual(await b.store.schedules.ticks('s', 10), [
      { at: T0 + MINUTE, outcome: 'enqueued', reason: null, jobId: job.id, decidedAt: b.now },
    ]);
    const [claimed] = await b.claim();
    assert.equal(claimed?.job.scheduledAt, T0 + MINUTE, 'its worker is told the time that it is for');
  });

  test('if two clients see one run, only the first creates a job', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    const other = await b.open();
    assert.equal(await b.store.schedules.decide([decision(seen)]), 1);
    const second = decision(seen, { jobs: [tickJob('s', T0 + MINUTE, 'second')] });
    assert.equal(await other.schedules.decide([second]), 0);
    assert.deepEqual(await b.ids(), [`s-${T0 + MINUTE}`]);
  });

  test('a decided run creates no second job, even if the schedule was moved back to it', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    await b.store.schedules.decide([decision(seen)]);
    const moved = await reread(b);
    await b.store.schedules.change(moved, { ...moved, nextAt: seen.nextAt, skipped: [] });
    const again = decision(await reread(b), { jobs: [tickJob('s', T0 + MINUTE, 'again')] });
    assert.equal(await b.store.schedules.decide([again]), 0);
    assert.equal((await reread(b)).nextAt, T0 + 2 * MINUTE, 'but it moves on');
    assert.equal((await b.ids()).length, 1);
  });

  test('a decided run that is no longer kept creates no second job, as its job proves it', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    await b.store.schedules.decide([decision(seen)]);
    const ahead = Array.from({ length: 100 }, (_, i) => ({
      tick: T0 + (i + 1000) * MINUTE,
      reason: 'missed' as const,
      jobId: null,
    }));
    await b.store.schedules.decide([decision(await reread(b), { jobs: [], skipped: ahead })]);
    const moved = await reread(b);
    await b.store.schedules.change(moved, { ...moved, nextAt: seen.nextAt, skipped: [], undecidedAfter: T0 });
    assert.deepEqual(await b.store.schedules.ticks('s', 100), []);
    const again = decision(await reread(b), { jobs: [tickJob('s', T0 + MINUTE, 'again')] });
    assert.equal(await b.store.schedules.decide([again]), 0);
    assert.deepEqual(await b.ids(), [`s-${T0 + MINUTE}`]);
    const [tick] = await b.store.schedules.ticks('s', 100);
    assert.deepEqual([tick?.outcome, tick?.jobId], ['enqueued', `s-${T0 + MINUTE}`]);
  });

  test('a decision about a schedule that was changed, paused or deleted in the meantime does nothing', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    await b.store.schedules.change(seen, { ...seen, job: { command: 'other', maxRetries: 1 }, skipped: [] });
    assert.equal(await b.store.schedules.decide([decision(seen)]), 0);
    const changed = await reread(b);
    await b.store.schedules.change(changed, { ...changed, pausedAt: T0, skipped: [] });
    assert.equal(await b.store.schedules.decide([decision(changed)]), 0);
    assert.deepEqual(await b.store.schedules.due(5), []);
    await b.store.schedules.remove(['s']);
    assert.equal(await b.store.schedules.decide([decision(changed)]), 0);
    assert.deepEqual([await b.ids(), await b.store.schedules.ticks('s', 5)], [[], []]);
  });

  test('twenty concurrent clients create one job per run', async (t) => {
    const b = await bench(t);
    const names = Array.from({ length: 10 }, (_, i) => `s${i}`);
    await added(b, ...names);
    const stores = await Promise.all(Array.from({ length: 20 }, () => b.open()));
    let made = 0;
    for (let round = 1; round <= 3; round++) {
      b.later(MINUTE);
      const counts = await Promise.all(
        stores.map(async (store, i) => {
          const due = await store.schedules.due(100);
          return store.schedules.decide(
            due.map((seen) =>
              decision(seen, { jobs: [tickJob(seen.name, seen.nextAt ?? 0, `${seen.name}.${round}.${i}`)] }),
            ),
          );
        }),
      );
      made += counts.reduce((sum, n) => sum + n, 0);
    }
    const jobs = await b.all();
    assert.equal(made, 30);
    assert.equal(jobs.length, 30);
    assert.equal(new Set(jobs.map((job) => `${job.schedule} ${job.scheduledAt}`)).size, 30);
    assert.deepEqual(await b.store.check(), []);
  });

  test('skipped runs are kept with their reason, the newest hundred of all', async (t) => {
    const b = await bench(t);
    const skip = (tick: number) => ({ tick, reason: 'missed' as const, jobId: null });
    let seen = await added(b, 's');
    await added(b, 'other');
    await b.store.schedules.decide([decision(await reread(b, 'other'))]);
    const first = Array.from({ length: 100 }, (_, i) => skip(T0 - i * MINUTE));
    await b.store.schedules.decide([decision(seen, { jobs: [], skipped: first })]);
    seen = await reread(b);
    await b.store.schedules.decide([decision(seen, { skipped: [{ ...skip(T0 + 5), reason: 'overlap', jobId: 'x' }] })]);
    const ticks = await b.store.schedules.ticks('s', 1000);
    assert.equal(ticks.length, 100);
    assert.deepEqual([ticks[0]?.outcome, ticks[0]?.at], ['enqueued', T0 + 2 * MINUTE]);
    assert.deepEqual([ticks[1]?.reason, ticks[1]?.jobId, ticks[1]?.outcome], ['overlap', 'x', 'skipped']);
    assert.equal((await b.store.schedules.ticks('other', 1000)).length, 1);
  });

  test('unfinished jobs of a schedule are those in a state that is not final', async (t) => {
    const b = await bench(t);
    for (const id of ['pending', 'running', 'failed', 'completed', 'cancelled', 'blocked']) {
      const dependsOn = id === 'blocked' ? [{ kind: 'job', on: 'running', rule: 'end' } as const] : [];
      await b.enqueue(tickJob('s', T0, id, { dependsOn }));
    }
    await b.enqueue(tickJob('other', T0, 'strange'), 'plain');
    await b.take('running');
    await b.run('failed', 'failed');
    await b.run('completed', 'completed');
    await b.store.cancel(['cancelled']);
    const { schedules } = b.store;
    assert.deepEqual(await schedules.unfinishedJobs('s', 10), ['pending', 'running', 'failed', 'blocked']);
    assert.deepEqual(await schedules.unfinishedJobs('s', 2), ['pending', 'running']);
  });

  test('a run can cancel unfinished jobs, and its job waits until they have stopped', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    await b.enqueue(tickJob('s', T0, 'old'), tickJob('s', T0, 'done'), tickJob('s', T0, 'waiting'));
    const old = await b.take('old');
    await b.run('done', 'completed');
    const dependsOn = [{ kind: 'job', on: 'old', rule: 'end' }] as const;
    const jobs = [tickJob('s', T0 + MINUTE, 'new', { dependsOn })];
    assert.equal(
      await b.store.schedules.decide([decision(seen, { jobs, cancel: ['old', 'waiting', 'done', 'gone'] })]),
      1,
    );
    assert.notEqual((await b.job('old')).cancelRequestedAt, null);
    assert.deepEqual([(await b.job('done')).state, (await b.job('new')).state], ['completed', 'blocked']);
    const { state, lastError } = await b.job('waiting');
    assert.deepEqual([state, lastError], ['cancelled', 'replaced by a later run of its schedule']);
    assert.equal((await b.job('done')).lastError, null);
    await b.end(old, 'cancelled');
    await b.store.dependencies.advance(10);
    assert.equal((await b.job('new')).state, 'pending');
  });

  test('jobs run with the environment of their schedule, which is kept as long as the schedule', async (t) => {
    const b = await bench(t);
    await b.store.schedules.add([schedule('s')], environmentOf({ PLACE: 'here' }));
    const seen = await reread(b);
    assert.equal((await b.store.environments.sweep(0, 100)).removed, 0);
    await b.store.reset();
    await b.store.schedules.decide([decision(seen)]);
    assert.deepEqual(await b.store.environments.ofJob(`s-${T0 + MINUTE}`), { PLACE: 'here' });
    const moved = await reread(b);
    await b.store.schedules.change(moved, {
      ...moved,
      environment: environmentOf({ PLACE: 'there' }),
      skipped: [],
    });
    await b.store.schedules.runNow('s', tickJob('s', T0 + 1, 'by-hand'));
    assert.deepEqual(await b.store.environments.ofJob('by-hand'), { PLACE: 'there' });
    await b.store.schedules.remove(['s']);
    await b.store.reset();
    assert.equal((await b.store.environments.sweep(0, 100)).removed, 0);
    assert.deepEqual(await b.store.check(), []);
  });

  test('a reset empties the queue and keeps the schedules', async (t) => {
    const b = await bench(t);
    await b.store.schedules.decide([decision(await added(b, 's'))]);
    await b.store.reset();
    assert.deepEqual(await b.ids(), []);
    assert.equal((await reread(b)).nextAt, T0 + 2 * MINUTE);
  });

  test('a manual job is created immediately and recorded, and an earlier decision is made anew', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    b.later(7);
    const made = await b.store.schedules.runNow('s', tickJob('s', b.now, 'by-hand'));
    assert.deepEqual([made?.id, made?.schedule, made?.state], ['by-hand', 's', 'pending']);
    const [tick] = await b.store.schedules.ticks('s', 5);
    assert.deepEqual([tick?.at, tick?.reason, tick?.jobId], [b.now, 'by_hand', 'by-hand']);
    assert.equal(await b.store.schedules.decide([decision(seen)]), 0, 'it knew nothing of that job');
    assert.equal(await b.store.schedules.decide([decision(await reread(b))]), 1);
    assert.equal(await b.store.schedules.runNow('gone', tickJob('gone', b.now)), null);
  });

  test('a change computed from outdated data is not written', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's');
    const to = { ...seen, spec: { ...SPEC, overlap: 'skip' } as const, skipped: [] };
    assert.equal(await b.store.schedules.change(seen, to), true);
    assert.equal(await b.store.schedules.change(seen, to), false, 'in the same millisecond too');
    const changed = await reread(b);
    assert.equal(changed.spec.overlap, 'skip');
    assert.equal(changed.createdAt, T0);
    assert.ok(changed.updatedAt > seen.updatedAt);
  });

  test('schedules are deleted with their runs, all or none, and their jobs stay', async (t) => {
    const b = await bench(t);
    const seen = await added(b, 's', 'other');
    await b.store.schedules.decide([decision(seen)]);
    await rejection('schedule_not_found', () => b.store.schedules.remove(['s', 'gone']));
    assert.equal((await b.store.schedules.all()).length, 2);
    await b.store.schedules.remove(['s']);
    assert.deepEqual((await b.store.schedules.all()).map(({ name }) => name), ['other']); // biome-ignore format: one line
    assert.deepEqual(await b.store.schedules.ticks('s', 5), []);
    assert.equal((await b.ids()).length, 1);
  });
}
