// Schedules with real workers: runs are on time, one job each, whatever the number of workers.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Job } from '../../src/job/job.ts';
import { type Fleet, newFleet, NO_POLL } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const schedule = (fleet: Fleet, name: string, ...args: string[]) => fleet.cli.text('schedule', 'add', name, ...args);

const jobsOf = async (fleet: Fleet, name: string): Promise<Job[]> =>
  (await fleet.queue.list({ sort: 'created', descending: false, limit: null })).filter((job) => job.schedule === name);

const untilJobs = (fleet: Fleet, name: string, count: number): Promise<Job[]> =>
  until(`${count} jobs of ${name}`, async () => {
    const jobs = await jobsOf(fleet, name);
    return jobs.length >= count ? jobs : null;
  });

const ticksOf = async (fleet: Fleet, name: string) => (await fleet.queue.schedules()).ticks(name, 1000);

/** Concurrent, because they mostly wait for the next second. */
suite('scheduled runs', { concurrency: 4 }, () => {
  test('an idle worker wakes for a scheduled run, and the job knows its scheduled time', async (t) => {
    const fleet = await newFleet(t, NO_POLL);
    await fleet.worker();
    await schedule(fleet, 's', '--every', '1s', 'echo $QUEUECTL_SCHEDULED_AT');
    const jobs = await untilJobs(fleet, 's', 3);
    for (const { scheduledAt, createdAt } of jobs) {
      assert.ok(createdAt >= (scheduledAt ?? Number.NaN), 'never early');
    }
    const [first] = jobs;
    const done = await fleet.untilState(first?.id ?? '', 'completed');
    assert.equal(await fleet.output(done.id), `${new Date(done.scheduledAt ?? 0).toISOString()}`);
  });

  test('several workers create one job for each run, relative to the anchor', async (t) => {
    const fleet = await newFleet(t);
    await fleet.start('--count', '3');
    await schedule(fleet, 's', '--every', '1s', 'true');
    const jobs = await untilJobs(fleet, 's', 4);
    const times = jobs.map(({ scheduledAt }) => scheduledAt ?? 0);
    assert.equal(new Set(times).size, times.length, 'no tick made two jobs');
    for (const at of times) assert.equal((at - (times[0] ?? 0)) % 1000, 0);
  });

  test('overlap skip creates no job while an earlier one is unfinished, and records that', async (t) => {
    const fleet = await newFleet(t);
    await schedule(fleet, 's', '--every', '1s', '--overlap', 'skip', 'until [ -e end ]; do sleep 0.05; done');
    await fleet.worker('--concurrency', '4');
    const [first] = await untilJobs(fleet, 's', 1);
    const skipped = await until('two ticks skipped for it', async () => {
      const ticks = (await ticksOf(fleet, 's')).filter(({ outcome }) => outcome === 'skipped');
      const met = ticks.filter(({ reason }) => reason !== 'missed'); // by a worker that was on time
      return met.length >= 2 ? met : null;
    });
    assert.equal((await jobsOf(fleet, 's')).length, 1);
    for (const tick of skipped) assert.deepEqual([tick.reason, tick.jobId], ['overlap', first?.id]);
    await fleet.cli.sh('touch end');
    await untilJobs(fleet, 's', 2);
  });

  test('overlap queue runs the jobs one after another', async (t) => {
    const fleet = await newFleet(t);
    const command = 'echo begin >> ledger; until [ -e end ]; do sleep 0.05; done; sleep 0.2; echo end >> ledger';
    await schedule(fleet, 's', '--every', '1s', '--overlap', 'queue', command);
    await fleet.worker('--concurrency', '4');
    await untilJobs(fleet, 's', 3);
    await fleet.cli.text('schedule', 'pause', 's');
    await fleet.cli.sh('touch end');
    const jobs = await jobsOf(fleet, 's');
    for (const { id } of jobs) await fleet.untilState(id, 'completed');
    assert.deepEqual(fleet.lines('ledger'), jobs.flatMap(() => ['begin', 'end'])); // biome-ignore format: one line
  });

  test('overlap replace stops the earlier job, and the next one starts afterwards', async (t) => {
    const fleet = await newFleet(t);
    const command = 'trap "sleep 0.2; echo end >> ledger; exit 1" TERM; echo begin >> ledger; sleep 60 & wait';
    await schedule(fleet, 's', '--every', '1s', '--overlap', 'replace', command);
    await fleet.worker('--concurrency', '4');
    const begun = (): number => fleet.lines('ledger').filter((line) => line === 'begin').length;
    await until('three have begun', () => begun() >= 3, 60_000);
    await fleet.cli.text('schedule', 'pause', 's');
    const jobs = await jobsOf(fleet, 's');
    for (const { id } of jobs.slice(0, -1)) assert.equal((await fleet.untilFinal(id)).state, 'cancelled');
    await fleet.queue.cancel([jobs.at(-1)?.id ?? '']);
    await fleet.untilFinal(jobs.at(-1)?.id ?? '');
    const ledger = fleet.lines('ledger');
    assert.deepEqual(ledger, ledger.map((_, i) => (i % 2 === 0 ? 'begin' : 'end')), 'run every 90 seconds, but never twice at once'); // biome-ignore format: one line
  });

  test('missed runs follow the catch-up rule of the schedule', async (t) => {
    const fleet = await newFleet(t);
    await schedule(fleet, 'one', '--every', '1s', 'true');
    await schedule(fleet, 'all', '--every', '1s', '--catch-up', 'all', 'true');
    await schedule(fleet, 'few', '--every', '1s', '--catch-up', 'all', '--catch-up-max', '1', 'true');
    const due = (await (await fleet.queue.schedules()).get('few')).nextAt ?? 0;
    await until('three ticks have passed', () => fleet.queue.now() > due + 2000);
    await fleet.worker();
    await untilJobs(fleet, 'few', 1);
    const [all, few, one] = [await jobsOf(fleet, 'all'), await ticksOf(fleet, 'few'), await ticksOf(fleet, 'one')];
    assert.ok(all.length >= 3);
    assert.ok(few.some(({ reason }) => reason === 'over_limit'));
    assert.ok(one.some(({ reason }) => reason === 'missed'));
    const times = all.map(({ scheduledAt }) => scheduledAt ?? 0);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
      'in their order',
    );
  });

  test('a paused schedule creates no job, and missed runs are recorded when it is resumed', async (t) => {
    const fleet = await newFleet(t);
    await fleet.worker();
    await schedule(fleet, 's', '--every', '1s', 'true');
    await untilJobs(fleet, 's', 1);
    await fleet.cli.text('schedule', 'pause', 's');
    const { length } = await jobsOf(fleet, 's');
    const pausedAt = fleet.queue.now();
    await until('two ticks have passed', () => fleet.queue.now() > pausedAt + 2100);
    assert.equal((await jobsOf(fleet, 's')).length, length);
    await fleet.cli.text('schedule', 'resume', 's');
    await untilJobs(fleet, 's', length + 1);
    const paused = (await ticksOf(fleet, 's')).filter(({ reason }) => reason === 'paused');
    assert.ok(paused.length >= 2, `${paused.length} ticks`);
  });

  test('a one-time schedule runs once and then ends', async (t) => {
    const fleet = await newFleet(t, NO_POLL);
    await fleet.worker();
    await schedule(fleet, 's', '--at', '+1s', 'true');
    const [job] = await untilJobs(fleet, 's', 1);
    await fleet.untilState(job?.id ?? '', 'completed');
    assert.match(await fleet.cli.text('schedule', 'list'), /^s .* ended /m);
    assert.equal((await (await fleet.queue.schedules()).get('s')).nextAt, null);
  });

  test('an unreadable schedule does not delay others', async (t) => {
    const fleet = await newFleet(t);
    const [queue, now] = [await fleet.queue.schedules(), fleet.queue.now()];
    await schedule(fleet, 'bad', '--every', '1s', 'true');
    const bad = await queue.get('bad');
    const timing = { kind: 'cron', expression: 'nonsense', zone: 'UTC' } as const;
    await fleet.queue.store.schedules.change(bad, {
      ...bad,
      nextAt: now,
      spec: { ...bad.spec, timing },
      skipped: [],
    });
    await schedule(fleet, 'good', '--every', '1s', 'true');
    const worker = await fleet.worker();
    await untilJobs(fleet, 'good', 2);
    assert.match(worker.stderr() + worker.stdout(), /schedule bad is invalid: /);
  });

  test('a draining queue gets no scheduled jobs, and the skips are recorded', async (t) => {
    const fleet = await newFleet(t);
    await schedule(fleet, 's', '--every', '1s', '--queue', 'mail', 'true');
    await fleet.cli.text('queue', 'drain', 'mail');
    await fleet.worker();
    await until('a tick is skipped', async () =>
      (await ticksOf(fleet, 's')).some(({ reason, outcome }) => outcome === 'skipped' && reason === 'draining'),
    );
    assert.deepEqual(await jobsOf(fleet, 's'), []);
    assert.match(await fleet.cli.rejected(4, ['schedule', 'run', 's']), /is draining/);
    await fleet.cli.text('queue', 'resume', 'mail');
    await untilJobs(fleet, 's', 1);
  });
});
