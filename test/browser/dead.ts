import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { assertLooksGood, openPage, openPageOf } from './support.ts';

test('dead jobs are grouped by error and retried as a group', async (t) => {
  const fleet = await newFleet(t);
  const opened = await openPageOf(t, fleet.queue, '/');
  const { page, go } = opened;
  const dying = (id: string, command: string) => ({ id, command, max_retries: 0 });
  await fleet.add(
    dying('a', 'echo no space >&2; exit 1'),
    dying('b', 'echo no space >&2; exit 1'),
    dying('c', 'exit 7'),
  );
  const worker = await fleet.worker();
  await until('all are dead', async () => (await fleet.count('dead')) === 3);
  send(worker.pid, 'SIGTERM');
  await worker.ended;
  await go('/dead');
  const row = page.getByRole('row').filter({ hasText: 'no space' });
  await row.getByTitle('show these jobs').getByText('2', { exact: true }).waitFor();
  await assertLooksGood(t, opened, '/dead', (shown) => shown.getByText('no space', { exact: false }).waitFor());
  await row.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry 2 jobs' }).click();
  await page.getByText('2 jobs retried').waitFor();
  await until('two wait again', async () => (await fleet.count('pending')) === 2);
  assert.equal((await fleet.job('c')).state, 'dead');
});

test('the dead jobs screen reports that there are none', async (t) => {
  const { page } = await openPage(t, '/dead');
  await page.getByText('No dead jobs').waitFor();
});
