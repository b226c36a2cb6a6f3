import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { assertLooksGood, enqueueAll, openPage } from './support.ts';

const member = (id: string, more: object = {}) => ({ id, command: `make ${id}`, group: 'photos', ...more });

test('a group shows how far it is, and is cancelled as a whole', async (t) => {
  const opened = await openPage(t, '/groups');
  const { page, queue } = opened;
  await page.getByText('No groups').waitFor();
  await enqueueAll(queue, [member('a'), member('b'), member('c')]);
  await queue.cancel(['a']);
  await page.getByRole('link', { name: 'photos' }).click();
  await page.getByText('1 of 3').waitFor();
  await assertLooksGood(t, opened, '/groups/photos', (shown) => shown.getByText('1 of 3').waitFor());
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 jobs' }).click();
  await until('all are cancelled', async () => (await queue.countOf({ states: ['cancelled'] })) === 3);
});

test('the graph draws what waits for what, each job a link, and many alike as one', async (t) => {
  const opened = await openPage(t, '/');
  const { page, queue, go } = opened;
  const many = Array.from({ length: 400 }, (_, i) => member(`m${i}`, { depends_on: ['first'] }));
  await enqueueAll(queue, [
    member('first'),
    ...many,
    { id: 'after', command: 'true', depends_on: ['first'] },
  ]);
  await go('/jobs/first/graph');
  await page.getByRole('link', { name: /^40[01] jobs alike/ }).waitFor();
  await assertLooksGood(t, opened, '/jobs/first/graph', (shown) =>
    shown.getByRole('link', { name: /alike/ }).waitFor(),
  );
  await page.getByRole('button', { name: 'Fold alike' }).click();
  await page.getByRole('link', { name: /^m399,/ }).waitFor();
  assert.equal(await page.locator('.graph-node').count(), 402);
});
