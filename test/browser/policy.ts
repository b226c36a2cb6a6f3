import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

test('an empty policy shows the first command; an admin sets and resets a rule', async (t) => {
  const { page, queue } = await openPage(t, '/');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByText('No policy: any command may run').waitFor();
  await page.getByText('queuectl config set policy_shell reject').waitFor();
  await page.getByRole('button', { name: 'change policy_programs' }).click();
  const form = page.getByRole('dialog', { name: 'Change policy_programs' });
  await form.getByLabel(/^Value/).fill('../convert');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').waitFor();
  await form.getByLabel(/^Value/).fill('/usr/bin/convert **; rsync -a * backup:*');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Only these programs and arguments are allowed:').waitFor();
  await page.getByText('rsync -a * backup:*', { exact: true }).waitFor();
  assert.equal((await queue.settings()).source('policy_programs'), 'stored');
  await page.getByRole('button', { name: 'reset policy_programs' }).click();
  await page.getByText('All programs are allowed.').waitFor();
  assert.equal((await queue.settings()).source('policy_programs'), 'default');
});

test('the policy check applies to the current user and enqueues nothing', async (t) => {
  const opened = await openPage(t);
  await opened.queue.setSetting('policy_shell', 'reject');
  await opened.queue.setSetting('policy_queues', 'img-*');
  const page = await openAs(t, opened, 'enqueuer', '/policy');
  assert.equal(await page.getByRole('button', { name: /change|reset/ }).count(), 0);
  const check = page.getByRole('button', { name: 'Check' });
  await page.getByLabel('Command', { exact: true }).fill('convert a.png "b c.jpg"');
  await check.click();
  await page.getByText("Rejected: queue 'default' accepts no jobs").waitFor();
  await page.getByLabel('Queue', { exact: true }).fill('img-1');
  await check.click();
  await page.getByText('Allowed', { exact: true }).waitFor();
  await page.getByLabel('Run', { exact: true }).selectOption('shell');
  await check.click();
  await page.getByText('Rejected: shell commands are not allowed').waitFor();
  await assertAccessible(page);
  assert.equal(await opened.queue.countOf({}), 0);
  const viewer = await openAs(t, opened, 'viewer', '/policy');
  await viewer.getByText('Shell commands are rejected', { exact: false }).waitFor();
  assert.equal(await viewer.getByRole('button', { name: 'Check' }).count(), 0);
});

test('rejected jobs appear with the reason, also if they were rejected at the start', async (t) => {
  const fleet = await newFleet(t);
  const opened = await openPageOf(t, fleet.queue, '/');
  await enqueueAll(fleet.queue, [{ id: 'shelled', command: 'echo hello' }]);
  await fleet.queue.setSetting('policy_shell', 'reject');
  await assert.rejects(enqueueAll(fleet.queue, [{ command: 'echo again' }]), { code: 'rejected_by_policy' });
  await fleet.worker();
  await fleet.untilState('shelled', 'dead');
  await opened.go('/jobs/shelled');
  await opened.page.getByRole('cell', { name: 'shell commands are not allowed', exact: false }).waitFor();
  await opened.page.getByRole('link', { name: 'View the policy' }).click();
  await opened.page.waitForURL('**/policy');
  await assertLooksGood(t, opened, '/policy', async (page) => {
    await page.getByText('before the start').waitFor();
    await page.getByRole('link', { name: 'shelled' }).waitFor();
  });
});
