import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

test('without a policy the screen of it teaches one; an admin sets it and takes it back', async (t) => {
  const { page, queue } = await openPage(t, '/');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByText('There is no policy: any command may run').waitFor();
  await page.getByText('queuectl config set policy_shell refuse').waitFor();
  await page.getByRole('button', { name: 'change policy_programs' }).click();
  const form = page.getByRole('dialog', { name: 'Change policy_programs' });
  await form.getByLabel(/^Value/).fill('../convert');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').waitFor();
  await form.getByLabel(/^Value/).fill('/usr/bin/convert **; rsync -a * backup:*');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Only these may run, with such arguments:').waitFor();
  await page.getByText('rsync -a * backup:*', { exact: true }).waitFor();
  assert.equal((await queue.settings()).source('policy_programs'), 'stored');
  await page.getByRole('button', { name: 'take back policy_programs' }).click();
  await page.getByText('Any program may run.').waitFor();
  assert.equal((await queue.settings()).source('policy_programs'), 'default');
});

test('a command is checked against the policy as whoever asks, and nothing is enqueued', async (t) => {
  const opened = await openPage(t);
  await opened.queue.setSetting('policy_shell', 'refuse');
  await opened.queue.setSetting('policy_queues', 'img-*');
  const page = await openAs(t, opened, 'enqueuer', '/policy');
  assert.equal(await page.getByRole('button', { name: /change|take/ }).count(), 0);
  const check = page.getByRole('button', { name: 'Check' });
  await page.getByLabel('Command', { exact: true }).fill('convert a.png "b c.jpg"');
  await check.click();
  await page.getByText("Refused: queue 'default' accepts no jobs").waitFor();
  await page.getByLabel('Queue', { exact: true }).fill('img-1');
  await check.click();
  await page.getByText('It would be let in.').waitFor();
  await page.getByLabel('Run', { exact: true }).selectOption('shell');
  await check.click();
  await page.getByText('Refused: shell commands are not allowed').waitFor();
  await assertAccessible(page);
  assert.equal(await opened.queue.countOf({}), 0);
  const viewer = await openAs(t, opened, 'viewer', '/policy');
  await viewer.getByText('Commands for the shell are refused', { exact: false }).waitFor();
  assert.equal(await viewer.getByRole('button', { name: 'Check' }).count(), 0);
});

test('what the policy refused is told with the reason, also at the start of a job', async (t) => {
  const fleet = await newFleet(t);
  const opened = await openPageOf(t, fleet.queue, '/');
  await enqueueAll(fleet.queue, [{ id: 'shelled', command: 'echo hello' }]);
  await fleet.queue.setSetting('policy_shell', 'refuse');
  await assert.rejects(enqueueAll(fleet.queue, [{ command: 'echo again' }]), { code: 'refused_by_policy' });
  await fleet.worker();
  await fleet.untilState('shelled', 'dead');
  await opened.go('/jobs/shelled');
  await opened.page.getByRole('cell', { name: 'shell commands are not allowed', exact: false }).waitFor();
  await opened.page.getByRole('link', { name: 'What the policy allows' }).click();
  await opened.page.waitForURL('**/policy');
  await assertLooksGood(t, opened, '/policy', async (page) => {
    await page.getByText('before its start').waitFor();
    await page.getByRole('link', { name: 'shelled' }).waitFor();
  });
});
