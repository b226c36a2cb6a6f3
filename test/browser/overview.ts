import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

test('an empty queue teaches the first command', async (t) => {
  const { page } = await openPage(t);
  await page.getByText("queuectl enqueue 'echo hello'").waitFor();
  await page.getByRole('button', { name: 'New job' }).click();
  await page.getByRole('dialog', { name: 'New job' }).waitFor();
});

test('with more queues than fit, the overview leads to all of them', async (t) => {
  const { page, queue, go } = await openPage(t);
  await enqueueAll(
    queue,
    Array.from({ length: 13 }, (_, i) => ({ command: 'true', queue: `queue-${i}` })),
  );
  await go('/');
  await page.getByRole('link', { name: 'all 13 queues' }).click();
  await page.getByRole('link', { name: 'queue-12' }).waitFor();
});

test('the overview shows how many jobs are in which state, and is good to look at on every screen', async (t) => {
  const opened = await openPage(t);
  const { read, enqueue } = await opened.queue.intake();
  await enqueue(
    [{ command: 'true' }, { command: 'true', queue: 'mail' }, { id: 'x', command: 'false' }].map(read),
  );
  await opened.queue.cancel(['x']);
  await assertLooksGood(t, opened, '/', async (page) => {
    await page.getByRole('link', { name: /^pending 2/ }).waitFor();
    await page.getByRole('link', { name: /^cancelled 1/ }).waitFor();
    await page.getByRole('heading', { name: 'No worker is running' }).waitFor();
  });
});

test('what needs attention leads to the page about it, and to a command that helps', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/');
  await fleet.add({ id: 'bad', command: 'exit 3', max_retries: 0 });
  await fleet.worker();
  await fleet.untilState('bad', 'dead');
  await fleet.queue.queues.pause('newsletter');
  await go('/');
  await page.getByText('queuectl queue resume newsletter', { exact: true }).waitFor();
  await page.getByRole('link', { name: '1 job is dead' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor();
});
