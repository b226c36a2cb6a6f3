import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

const member = (id: string, more: object = {}) => ({ id, command: `make ${id}`, group: 'photos', ...more });

test('a group shows its progress and is cancelled as a whole', async (t) => {
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

test('the graph draws dependencies, links each job, and groups similar jobs', async (t) => {
  const opened = await openPage(t, '/');
  const { page, queue, go } = opened;
  const many = Array.from({ length: 400 }, (_, i) => member(`m${i}`, { depends_on: ['first'] }));
  await enqueueAll(queue, [
    member('first'),
    ...many,
    {
      id: 'after',
      command: `convert ${'a-long-name '.repeat(9)}`,
      name: 'a-name-of-more-than-nineteen-letters',
      depends_on: ['first'],
      key: 'k',
    },
  ]);
  await go('/jobs/first/graph');
  await page.getByRole('link', { name: /^40[01] jobs \(similar\)/ }).waitFor();
  await assertLooksGood(t, opened, '/jobs/first/graph', (shown) =>
    shown.getByRole('link', { name: /similar/ }).waitFor(),
  );
  await page.getByRole('button', { name: 'Group similar jobs' }).click();
  await page.getByRole('link', { name: /^m399,/ }).waitFor();
  assert.equal(await page.locator('.graph-node').count(), 402);
});

test('a part of a workflow is retried from its group and its graph after a preview', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add(
    { id: 'ok', command: 'true', group: 'nightly' },
    { id: 'build', command: 'test -e fixed', group: 'nightly', max_retries: 0 },
    { id: 'deploy', command: 'true', group: 'nightly', depends_on: ['build'] },
  );
  await fleet.cli.drain();
  const opened = await openPageOf(t, fleet.queue, '/groups/nightly');
  const { page } = opened;
  await page.getByRole('button', { name: 'Retry part' }).click();
  const dialog = page.getByRole('dialog', { name: 'Retry part' });
  await dialog.getByText('1 job would start now; 1 would wait for dependencies:').waitFor();
  await assertAccessible(page);
  await dialog.getByLabel('Jobs of group:nightly').selectOption('failed-only');
  await dialog.getByRole('button', { name: 'Retry 1 job' }).waitFor();
  await dialog.getByText('queuectl retry group:nightly --failed-only').waitFor();
  await dialog.getByLabel('Jobs of group:nightly').selectOption('failed-and-downstream');
  fs.writeFileSync(fleet.path('fixed'), '');
  await dialog.getByRole('button', { name: 'Retry 2 jobs' }).click();
  await page.getByText('2 jobs of group:nightly retried').waitFor();
  const states = async (): Promise<string[]> =>
    Promise.all(['ok', 'build', 'deploy'].map(async (id) => (await fleet.job(id)).state));
  assert.deepEqual(await states(), ['completed', 'pending', 'blocked']);
  await fleet.cli.drain();
  assert.deepEqual(await states(), ['completed', 'completed', 'completed']);

  await opened.go('/jobs/build/graph');
  await page.getByRole('button', { name: 'Retry part' }).click();
  await dialog.getByText('No job has failed.').waitFor();
  await dialog.getByLabel('Jobs of build').selectOption('all');
  await dialog.getByRole('button', { name: 'Retry 2 jobs' }).click();
  await until('the jobs wait for a worker', async () => (await states()).join() === 'completed,pending,blocked');
});
