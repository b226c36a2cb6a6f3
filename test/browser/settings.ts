import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, openPage } from './support.ts';

test('a setting is changed and reset, and the form explains an invalid value', async (t) => {
  const { page, queue, ask } = await openPage(t, '/settings?find=max_retries');
  const value = async (): Promise<unknown> => (await queue.settings()).value('max_retries');
  await page.getByRole('button', { name: 'change max_retries' }).click();
  const form = page.getByRole('dialog', { name: 'Change max_retries' });
  await form.getByLabel(/^Value/).fill('many');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').getByText("not 'many'", { exact: false }).waitFor();
  await form.getByLabel(/^Value/).fill('7');
  await form.getByText('queuectl config set max_retries 7').waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'changed', exact: true }).waitFor();
  assert.equal(await value(), 7);
  await page.getByRole('button', { name: 'reset max_retries to its default' }).click();
  await page.getByRole('cell', { name: 'default', exact: true }).waitFor();
  assert.equal(await value(), 3);
  assert.equal((await ask('GET', '/activity')).json.activity[0].action, 'unsetSetting');
});

test('a secret is never shown', async (t) => {
  const opened = await openPage(t);
  await opened.queue.setSetting('webhook_secret', 'correct-horse');
  await opened.go('/settings?change=webhook_secret');
  await opened.page.getByText('secret, not shown').waitFor();
  const form = opened.page.getByRole('dialog');
  assert.equal(await form.getByLabel(/^Value/).inputValue(), '');
  assert.equal(await form.getByLabel(/^Value/).getAttribute('type'), 'password');
  assert.doesNotMatch(await opened.page.content(), /correct-horse/);
});

test('settings are searchable and look good, and only admins can change them', async (t) => {
  const opened = await openPage(t);
  const page = await openAs(t, opened, 'operator', '/settings?change=max_retries');
  await page.getByText('max_retries', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^change / }).count(), 0);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByLabel('find a setting').fill('heartbeat_interval');
  await page.waitForURL('**/settings?**find=heartbeat_interval');
  assert.equal(await page.getByRole('row').count(), 2);
  await assertLooksGood(t, opened, '/settings', (page) =>
    page.getByText('heartbeat_interval', { exact: true }).waitFor(),
  );
});
