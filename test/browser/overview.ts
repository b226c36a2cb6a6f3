import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { Bench } from '../contract/bench.ts';
import { newFleet } from '../support/fleet.ts';
import { assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

test('an empty queue shows the first command', async (t) => {
  const { page } = await openPage(t);
  await page.getByText("queuectl enqueue 'echo hello'").waitFor();
  await page.getByRole('button', { name: 'New job' }).click();
  await page.getByRole('dialog', { name: 'New job' }).waitFor();
});

const inQueues = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ command: 'true', queue: `queue-${from + i}` }));

test('the overview shows thirteen queues, and links to the rest of many queues', async (t) => {
  const { page, queue, go } = await openPage(t);
  await enqueueAll(queue, inQueues(10, 23));
  await go('/');
  const queues = page.getByRole('region', { name: 'Queues' });
  await queues.getByRole('link', { name: 'queue-22' }).waitFor();
  assert.equal(await queues.getByText('more queue').count(), 0);
  await enqueueAll(queue, inQueues(23, 50));
  await page.getByRole('link', { name: '16 more queues' }).click();
  await page.getByRole('link', { name: 'queue-49' }).waitFor();
});

test('the overview links to the rest of many workers', async (t) => {
  const { page, queue, go } = await openPage(t);
  const bench = new Bench({ open: () => openStore(queue.place, { environment: {} }), remove: () => {} });
  t.after(() => bench.close());
  await bench.begin();
  for (let i = 2; i <= 9; i++) await bench.worker(`w${i}`);
  await go('/');
  await page.getByRole('link', { name: '1 more worker' }).waitFor();
});

test('the overview counts jobs by state and looks good on all screen sizes', async (t) => {
  const opened = await openPage(t);
  const { read, enqueue } = await opened.queue.intake();
  await enqueue([{ command: 'true' }, { command: 'true', queue: 'mail' }, { id: 'x', command: 'false' }].map(read));
  await opened.queue.cancel(['x']);
  await assertLooksGood(t, opened, '/', async (page) => {
    await page.getByRole('link', { name: /^pending 2/ }).waitFor();
    await page.getByRole('link', { name: /^cancelled 1/ }).waitFor();
    await page.getByRole('heading', { name: 'No worker is running' }).waitFor();
  });
});

test('counts of millions do not overlap on any screen size', async (t) => {
  const { page, queue, go, ask } = await openPage(t);
  await enqueueAll(queue, [{ command: 'true' }, { id: 'held', command: 'true' }]);
  await ask('POST', '/jobs/held/hold', {});
  const db = new DatabaseSync(queue.place.name);
  t.after(() => db.close());
  for (const state of ['pending', 'completed', 'cancelled'])
    db.prepare("INSERT INTO counters VALUES ('default', ?, 7654321) ON CONFLICT DO UPDATE SET n = excluded.n").run(
      state,
    );
  for (const path of ['/', '/queues/default']) {
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await go(path);
      await page.getByRole('link', { name: /^completed 7,654,321/ }).waitFor();
      await page
        .getByText(path === '/' ? '1 held in total' : 'held', { exact: false })
        .first()
        .waitFor({ state: 'attached' });
      const crowded = await page.evaluate(CROWDED);
      assert.deepEqual(crowded, [], `${path} at ${width} px`);
    }
  }
});

/** Returns counts and notes that are wider than their column. */
const CROWDED = `[...document.querySelectorAll('.figure, .figure-note')]
  .filter((figure) => figure.scrollWidth > figure.clientWidth)
  .map((figure) => figure.textContent)`;

test('a problem links to its screen and shows a command that helps', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/');
  await fleet.add({ id: 'bad', command: 'exit 3', max_retries: 0 });
  await fleet.worker();
  await fleet.untilState('bad', 'dead');
  await fleet.queue.queues.pause('newsletter');
  await go('/');
  await page.getByText('queuectl queue resume newsletter', { exact: true }).waitFor();
  await page.getByRole('link', { name: '1 dead job' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dead jobs' }).waitFor();
});
