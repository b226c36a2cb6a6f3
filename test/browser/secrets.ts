import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, openPage } from './support.ts';

test('a secret is set without being shown, replaced from a file, and deleted', async (t) => {
  const { page, queue } = await openPage(t, '/secrets');
  await page.getByText('queuectl secret set DB_PASSWORD').waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Set secret' });
  await form.getByLabel(/^Name/).fill('DB-PASSWORD');
  const value = form.getByLabel(/^Value/);
  assert.equal(await value.getAttribute('type'), 'password');
  await value.fill('abc');
  await form.getByText('shorter than 6 bytes are not masked', { exact: false }).waitFor();
  await value.fill('correct horse');
  await form.getByRole('button', { name: 'Set secret' }).click();
  await form.getByRole('alert').getByText('Invalid secret name', { exact: false }).waitFor();
  await form.getByLabel(/^Name/).fill('DB_PASSWORD');
  await form.getByText('queuectl secret set DB_PASSWORD', { exact: true }).waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Set secret' }).click();
  await page.getByRole('cell', { name: 'DB_PASSWORD', exact: true }).waitFor();
  const secrets = await queue.secrets();
  assert.equal(String(await secrets.valueOf('DB_PASSWORD')), 'correct horse');
  assert.ok(!(await page.content()).includes('correct horse'));
  assert.ok(!JSON.stringify(await queue.activity.list(50)).includes('correct horse'));

  await page.getByRole('button', { name: 'replace DB_PASSWORD' }).click();
  const key = Buffer.from('line one\nline two\n');
  await page
    .getByRole('dialog', { name: 'Replace DB_PASSWORD' })
    .getByLabel(/^Or from a file/)
    .setInputFiles({ name: 'id_ed25519', mimeType: 'text/plain', buffer: key });
  await page.getByText('queuectl secret set DB_PASSWORD < id_ed25519').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Set secret' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(await secrets.valueOf('DB_PASSWORD'), key);
  await page.getByRole('button', { name: 'delete DB_PASSWORD' }).click();
  await page.getByRole('button', { name: 'Delete the secret' }).click();
  await page.getByText('No secrets yet').waitFor();
  assert.deepEqual(await secrets.all(), []);
});

test('an enqueuer sees the names and users of secrets; a viewer does not', async (t) => {
  const opened = await openPage(t);
  await (await opened.queue.secrets()).set('SSH_KEY', Buffer.from('a key'), 'ann@build7');
  await opened.ask('POST', '/schedules', {
    name: 'deploy',
    cron: '@daily',
    job: { command: ['./deploy.sh'], secrets: ['SSH_KEY:file'] },
  });
  const viewer = await openAs(t, opened, 'viewer', '/secrets');
  await viewer.getByText('Only users who may enqueue can see secret names').waitFor();
  assert.equal(await viewer.getByRole('link', { name: 'Secrets' }).count(), 0);
  const enqueuer = await openAs(t, opened, 'enqueuer', '/secrets');
  await enqueuer.getByRole('link', { name: 'deploy' }).waitFor();
  assert.equal(await enqueuer.getByRole('button', { name: /replace|delete|Set secret/ }).count(), 0);
  await assertLooksGood(t, opened, '/secrets', (page) => page.getByRole('link', { name: 'deploy' }).waitFor());
});
