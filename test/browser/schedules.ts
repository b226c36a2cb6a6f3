import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TickSchedules } from '../../src/maintenance/tick-schedules.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { Settings } from '../../src/settings/settings.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { until } from '../support/until.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, openPage, type Opened } from './support.ts';

const add = ({ ask }: Opened, name: string, more: object = {}): Promise<unknown> =>
  ask('POST', '/schedules', {
    name,
    cron: '30 2 * * *',
    tz: 'Europe/Berlin',
    job: { command: './x' },
    ...more,
  });

/** Runs the schedules like a worker would, this number of days from now. */
async function tickAfter(queue: Queue, days: number): Promise<void> {
  const clock = (): number => Date.now() + days * 86_400_000;
  const store = await openSqlite(queue.place.name, { wakePath: `${queue.place.name}.wake`, clock });
  await new TickSchedules(store, () => new Settings({}, {}), assert.fail).runOnce();
  await store.close();
}

test('the empty list of schedules shows how to add one', async (t) => {
  const { page } = await openPage(t, '/schedules');
  await page.getByText("queuectl schedule add backup --cron '30 2 * * *' ./backup.sh").waitFor();
});

test('the form previews a new schedule while typing and adds it', async (t) => {
  const { page, queue, ask } = await openPage(t, '/schedules');
  await page.getByRole('button', { name: 'New schedule' }).first().waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel('Name').fill('backup');
  await form.getByLabel(/^When/).fill('30 2 * *');
  await form.getByText("'30 2 * *' has 4", { exact: false }).waitFor();
  await form.getByLabel(/^When/).fill('30 2 * * MON');
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await form.getByText('At 02:30, only on Monday', { exact: false }).waitFor();
  await until('five times are shown', async () => (await form.locator('.next-times li').count()) === 5);
  await form.getByLabel(/^Command/).fill('./backup.sh');
  await form.getByLabel('If the previous job is still running').selectOption('skip');
  await form
    .getByText("queuectl schedule add backup --cron '30 2 * * MON' --tz Europe/Berlin --overlap skip ./backup.sh")
    .waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Add the schedule' }).click();
  await page.waitForURL('**/schedules/backup');
  await page.getByRole('heading', { name: 'backup', level: 1 }).waitFor();
  const [schedule] = await (await queue.schedules()).all();
  assert.deepEqual([schedule?.spec.overlap, schedule?.job.command], ['skip', './backup.sh']);
  const { activity } = (await ask('GET', '/activity')).json;
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['addSchedule'],
    'previews are not recorded',
  );
});

test('a schedule is paused, resumed, run, changed and deleted from its screen', async (t) => {
  const opened = await openPage(t);
  const { page, queue, go } = opened;
  const schedules = await queue.schedules();
  await add(opened, 'backup', { job: { command: './x', timeout: '5m', tags: ['nightly'] } });
  await go('/schedules/backup');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('paused', { exact: true }).first().waitFor();
  assert.notEqual((await schedules.get('backup')).pausedAt, null);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('active', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Run now' }).click();
  await until('a job is enqueued', async () => (await queue.countOf({})) === 1);
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Change backup' });
  await form.getByLabel(/^When/).fill('0 3 * * *');
  await form.getByLabel(/^Command/).fill('./y');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('At 03:00', { exact: false }).waitFor();
  const { job } = await schedules.get('backup');
  assert.deepEqual(
    [job.command, job.timeoutSeconds, job.tags],
    ['./y', 300, ['nightly']],
    'other fields do not change',
  );
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the schedule' }).click();
  await page.waitForURL('**/schedules');
  assert.deepEqual(await schedules.all(), []);
});

test('a schedule shows its next and past runs and looks good', async (t) => {
  const opened = await openPage(t);
  await add(opened, 'backup', { overlap: 'skip' });
  await opened.go('/schedules/backup');
  await opened.page.getByText('This schedule has not run yet.').waitFor();
  for (const days of [1, 2]) await tickAfter(opened.queue, days);
  await assertLooksGood(t, opened, '/schedules/backup?ticks=skipped', async (page) => {
    await page.getByText('At 02:30', { exact: false }).waitFor();
    assert.equal(await page.locator('.next-times li').count(), 5);
    await page.getByText('An earlier run was unfinished', { exact: false }).waitFor();
    assert.equal(await page.locator('.ticks tbody tr').count(), 1);
  });
  await opened.go('/schedules/backup?ticks=enqueued');
  const [job] = await opened.queue.list({
    schedule: ['backup'],
    sort: 'created',
    descending: true,
    limit: 1,
  });
  await opened.page.getByRole('link', { name: job?.id ?? '', exact: true }).waitFor();
});

test('viewers are offered no schedule changes, and the list looks good', async (t) => {
  const opened = await openPage(t);
  await add(opened, 'backup');
  await add(opened, 'a-schedule-with-a-long-name', { job: { command: `tar ${'a-long-name '.repeat(20)}` } });
  const page = await openAs(t, opened, 'enqueuer', '/schedules?new=1');
  await page.getByRole('link', { name: 'backup' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /new schedule|run backup|pause backup/i }).count(), 0);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await assertLooksGood(t, opened, '/schedules', (page) => page.getByRole('link', { name: 'backup' }).waitFor());
});
