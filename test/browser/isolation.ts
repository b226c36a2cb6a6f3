import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

test('the job form collapses limits, sandbox and secrets, and shows their errors at the field', async (t) => {
  const { page, queue } = await openPage(t, '/jobs');
  await (await queue.secrets()).set('DB_PASSWORD', Buffer.from('correct horse'), 'ann');
  await queue.queues.set('untrusted', { confinement: { sandbox: 'strict' } });
  await page.getByRole('button', { name: 'New job' }).first().click();
  const form = page.getByRole('dialog', { name: 'New job' });
  await form.getByLabel(/^Command/).fill('make');
  await form.getByLabel(/^ID/).fill('made');
  await form.getByLabel(/^Queue/).fill('untrusted');
  assert.equal(await form.getByLabel(/^Memory/).isVisible(), false);
  await form.getByText('Limits, sandbox and secrets').click();
  await form.getByLabel(/^Memory/).fill('lots');
  await form.getByLabel(/^Nice/).fill('10');
  await form.getByLabel(/^Disk priority/).selectOption('idle');
  await form.getByLabel('If a limit cannot be enforced').selectOption('best-effort');
  await form.getByLabel('Sandbox').selectOption('none');
  await form.getByRole('button', { name: 'DB_PASSWORD' }).click();
  await assertAccessible(page);
  await form.getByText('Limits, sandbox and secrets').click();
  const enqueue = form.getByRole('button', { name: 'Enqueue', exact: true });
  await enqueue.click();
  await form.getByRole('alert').getByText("'lots' is not a size.", { exact: false }).waitFor();
  assert.equal(await form.getByLabel(/^Memory/).getAttribute('aria-invalid'), 'true');
  await form.getByLabel(/^Memory/).fill('512M');
  await enqueue.click();
  await form.getByRole('alert').getByText("requires the sandbox 'strict'", { exact: false }).waitFor();
  assert.equal(await form.getByLabel('Sandbox').getAttribute('aria-invalid'), 'true');
  await form.getByLabel('Sandbox').selectOption('strict');
  await enqueue.click();
  await page.waitForURL('**/jobs/made');
  assert.deepEqual((await queue.get('made'))?.confinement, {
    limits: { memoryBytes: 512 * 1024 ** 2, nice: 10, ioClass: 'idle', isBestEffort: true },
    sandbox: 'strict',
    secrets: [{ name: 'DB_PASSWORD', as: 'variable', variable: 'DB_PASSWORD' }],
  });
});

test('a clone has the isolation of its job, and an edit changes it', async (t) => {
  const { page, queue, go } = await openPage(t);
  const limits = { memory: '512M', cpu_time: '60s' };
  await enqueueAll(queue, [{ id: 'first', command: ['ls', 'a b'], limits, user: 'www-data', run_at: '+1h' }]);
  await go('/jobs/first');
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the job' });
  await edit.getByText('memory 512M · CPU time 60s · user www-data').click();
  await edit.getByLabel(/^Memory/).fill('');
  await edit.getByLabel(/^Processes/).fill('20');
  await edit.getByLabel(/^User/).fill('');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  assert.deepEqual((await queue.get('first'))?.confinement, { limits: { cpuSeconds: 60, processes: 20 } });
  await page.reload(); // the clone shows the job as the page last received it
  await page.getByRole('button', { name: 'Clone' }).click();
  const clone = page.getByRole('dialog', { name: 'Clone the job' });
  await clone.getByText('CPU time 60s · processes 20').waitFor();
  await clone.getByLabel(/^ID/).fill('second');
  await clone.getByRole('button', { name: 'Enqueue' }).click();
  await page.waitForURL('**/jobs/second');
  const second = await queue.get('second');
  assert.deepEqual(second?.command, ['ls', 'a b']);
  assert.deepEqual(second?.confinement, { limits: { cpuSeconds: 60, processes: 20 } });
});

test('the job page shows isolation with its source, used resources, and why a job was terminated', async (t) => {
  const fleet = await newFleet(t);
  const opened = await openPageOf(t, fleet.queue, '/');
  const ofQueue = { cpu_time: '1s', processes: 50, mode: 'best-effort' };
  await fleet.queue.queues.set('untrusted', { confinement: { limits: ofQueue } });
  for (const [key, value] of [
    ['limit_open_files', '256'],
    ['limit_mode', 'best-effort'],
  ] as const)
    await fleet.queue.setSetting(key, value);
  const limits = { cpu_time: '30s', memory: '1G', mode: 'best-effort' } as const;
  await fleet.add({ id: 'busy', queue: 'untrusted', command: 'while :; do :; done', limits, max_retries: 0 });
  await fleet.worker();
  await fleet.untilState('busy', 'dead');
  await assertLooksGood(t, opened, '/jobs/busy', async (page) => {
    const isolation = page.getByRole('region', { name: 'isolation' });
    await isolation.getByText('1 s · from queue untrusted').waitFor();
    await isolation.getByText('256 · from the settings').waitFor();
    await isolation.getByText('1 GiB', { exact: true }).waitFor();
    await page.getByRole('cell', { name: 'CPU time exceeded (limit 1 s)' }).waitFor();
    await page.getByRole('cell', { name: / CPU$/ }).waitFor();
    await page.getByText(/^queuectl enqueue '.*"queue":"untrusted".*"limits":\{"memory_bytes":1073741824/).waitFor();
  });
});

test('an operator edits the isolation of a queue with errors at their field; a viewer only sees it', async (t) => {
  const opened = await openPage(t, '/queues/untrusted');
  const { page, queue } = opened;
  await page.getByRole('button', { name: 'Isolation' }).waitFor();
  await page.keyboard.press('f');
  const form = page.getByRole('dialog', { name: 'Isolation of untrusted' });
  await form.getByLabel('Sandbox').selectOption('strict');
  await form.getByLabel(/^User/).fill('www-data');
  await form.getByLabel(/^Memory/).fill('256M');
  await form.getByLabel(/^Processes/).fill('no');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').waitFor();
  assert.equal(await form.getByLabel(/^Processes/).getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await queue.queues.confinement('untrusted'), {});
  await form.getByLabel(/^Processes/).fill('50');
  await form
    .getByText('queuectl queue set untrusted --memory 256M --processes 50 --sandbox strict --user www-data')
    .waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const limits = { memoryBytes: 256 * 1024 ** 2, processes: 50 };
  assert.deepEqual(await queue.queues.confinement('untrusted'), {
    limits,
    sandbox: 'strict',
    user: 'www-data',
  });
  await page.getByRole('button', { name: 'Isolation' }).click();
  await form.getByLabel('Sandbox').selectOption('');
  await form.getByLabel(/^Memory/).fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  assert.deepEqual(await queue.queues.confinement('untrusted'), {
    limits: { processes: 50 },
    user: 'www-data',
  });
  const operator = await openAs(t, opened, 'operator', '/queues/untrusted?form=isolation');
  await operator.getByText('Only admins can change the sandbox and the user.', { exact: false }).waitFor();
  assert.equal(await operator.getByRole('dialog').getByLabel('Sandbox').count(), 0);
  const viewer = await openAs(t, opened, 'viewer', '/queues/untrusted?form=isolation');
  await viewer.getByRole('region', { name: 'isolation' }).getByText('www-data').waitFor();
  assert.equal(await viewer.getByRole('button', { name: 'Isolation' }).or(viewer.getByRole('dialog')).count(), 0);
});

test('a schedule with a recipe keeps its limits when it is changed', async (t) => {
  const { page, queue } = await openPage(t);
  const recipes = await queue.recipes();
  await recipes.add({ name: 'resize', command: ['convert', '{in:path}'], mayReplace: false }, 'ann');
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('button', { name: 'New schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel('Name').fill('thumbs');
  await form.getByLabel(/^When/).fill('@daily');
  await form.getByLabel(/^What runs/).selectOption('resize');
  await form.getByLabel(/^in /).fill('a.png');
  await form.getByText('Limits, sandbox and secrets').click();
  await form.getByLabel(/^Memory/).fill('1G');
  await form.getByText('--memory 1G --recipe resize --param in=a.png', { exact: false }).waitFor();
  await form.getByRole('button', { name: 'Add the schedule' }).click();
  await page.waitForURL('**/schedules/thumbs');
  await page.getByRole('button', { name: 'Edit' }).click();
  const change = page.getByRole('dialog', { name: 'Change thumbs' });
  await change.getByLabel('Queue').fill('media');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  const [schedule] = await (await queue.schedules()).all();
  assert.deepEqual([schedule?.job.queue, schedule?.job.command], ['media', ['convert', 'a.png']]);
  assert.deepEqual(schedule?.job.confinement, {
    limits: { memoryBytes: 1024 ** 3 },
    recipe: { name: 'resize', params: { in: 'a.png' } },
  });
});
