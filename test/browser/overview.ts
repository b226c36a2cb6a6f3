import { test } from 'node:test';
import { assertLooksGood, openPage } from './support.ts';

test('an empty queue teaches the first command', async (t) => {
  const { page } = await openPage(t);
  await page.getByText("queuectl enqueue 'echo hello'").waitFor();
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
