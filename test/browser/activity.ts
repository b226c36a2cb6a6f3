import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLooksGood, openPage } from './support.ts';

test('an empty audit log explains what it will contain', async (t) => {
  const { page } = await openPage(t, '/activity');
  await page.getByText('No activity yet').waitFor();
});

test('the audit log shows who did what, links to the target, has pages and looks good', async (t) => {
  const opened = await openPage(t);
  const { page, queue, ask, go } = opened;
  const at = queue.now();
  for (let i = 0; i < 55; i++) {
    await queue.activity.record({
      at,
      actor: 'ann',
      via: 'cli',
      action: 'retry',
      target: `job-${i}`,
      detail: null,
    });
  }
  await ask('PATCH', '/queues/mail', { concurrency: 2 });
  await go('/activity');
  const newest = page.getByRole('row').filter({ hasText: 'limit queue' });
  await newest.getByText('concurrency 2').waitFor();
  assert.equal(await newest.getByRole('link', { name: 'mail' }).getAttribute('href'), '/queues/mail');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('link', { name: 'job-0', exact: true }).waitFor();
  assert.equal(await page.getByText('limit queue').count(), 0);
  await page.goBack();
  await newest.waitFor();
  await assertLooksGood(t, opened, '/activity', (page) => page.getByText('limit queue').waitFor());
});
