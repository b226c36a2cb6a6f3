import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, openPage } from './support.ts';

test('an admin adds a token, logs in with its secret, which is shown once, and deletes it', async (t) => {
  const { page, queue, url } = await openPage(t, '/access');
  await page.getByText('No tokens yet').waitFor();
  await page.getByRole('button', { name: 'Add token' }).click();
  const form = page.getByRole('dialog', { name: 'Add token' });
  await form.getByLabel(/^Name/).fill('ci');
  await form.getByLabel('Role').selectOption('enqueuer');
  await form.getByText('queuectl token add ci --role enqueuer --expires 90d').waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Add token', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Token ci' });
  const secret = (await shown.locator('code').first().textContent()) ?? '';
  await assertAccessible(page);
  const answer = await fetch(`${url}/api/v1/session`, { headers: { authorization: `Bearer ${secret}` } });
  assert.equal(((await answer.json()) as { role: string }).role, 'enqueuer');
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: /^ci / }).waitFor();
  assert.ok(!(await page.content()).includes(secret));
  await page.getByRole('button', { name: 'delete ci' }).click();
  await page.getByRole('button', { name: 'Delete the token' }).click();
  await page.getByText('No tokens yet').waitFor();
  assert.deepEqual(await (await queue.accounts()).tokens(), []);
});

test('an admin adds a user with a password and deletes it', async (t) => {
  const { page, queue } = await openPage(t, '/access?add=user');
  const form = page.getByRole('dialog', { name: 'Add user' });
  await form.getByLabel('Name').fill('ann');
  await form.getByLabel('Password').fill('short');
  await form.getByRole('button', { name: 'Add user' }).click();
  await form.getByRole('alert').waitFor();
  await form.getByLabel('Password').fill('correct horse battery staple');
  await form.getByLabel('Role').selectOption('operator');
  await form.getByRole('button', { name: 'Add user' }).click();
  await page.getByRole('cell', { name: 'ann', exact: true }).waitFor();
  assert.deepEqual(
    (await (await queue.accounts()).users()).map(({ name, role }) => [name, role]),
    [['ann', 'operator']],
  );
  await page.getByRole('button', { name: 'delete ann' }).click();
  await page.getByRole('button', { name: 'Delete the user' }).click();
  await page.getByText('No users yet').waitFor();
});

test('only admins see users and tokens; the screen explains the roles and looks good', async (t) => {
  const opened = await openPage(t);
  const page = await openAs(t, opened, 'operator', '/access');
  await page.getByText('Only admins can see users and tokens').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Users and tokens' }).count(), 0);
  await assertLooksGood(t, opened, '/access', async (page) => {
    await page.getByRole('cell', { name: /^a-operator/ }).waitFor();
    await page.getByText('enqueues jobs, and so runs commands', { exact: false }).waitFor();
  });
});
