import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../server/support.ts';
import { newFleet } from '../support/fleet.ts';
import { enqueueAll, newPage, openPage } from './support.ts';

test('numbers change by themselves, stand still while paused, and catch up afterwards', async (t) => {
  const { page, queue } = await openPage(t, '/jobs');
  await enqueueAll(queue, [{ id: 'a', command: 'true' }]);
  await page.getByRole('link', { name: 'a', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).click();
  await page.getByText('what is shown is from then', { exact: false }).waitFor();
  await enqueueAll(queue, [{ id: 'b', command: 'true' }]);
  assert.equal(await page.getByRole('link', { name: 'b', exact: true }).count(), 0);
  await page.keyboard.press('p');
  await page.getByRole('link', { name: 'b', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
});

test('a page whose server is gone says since when it is not live, and comes back by itself', async (t) => {
  const fleet = await newFleet(t);
  const db = fleet.queue.place.name;
  const first = await startServer(t, { db });
  const page = await newPage(t);
  await page.goto(`${first.url}/jobs#token=${first.token}`);
  await page.getByRole('combobox', { name: 'Search jobs' }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
  await first.stop();
  await page.getByText(/^Not live since .*the server does not answer/).waitFor();
  await fleet.add({ id: 'meanwhile', command: 'true' });
  await startServer(t, { db, port: Number(new URL(first.url).port) });
  await page.getByRole('button', { name: /^Live/ }).waitFor();
  await page.getByRole('link', { name: 'meanwhile' }).waitFor();
  assert.equal(await page.getByText('Not live since').count(), 0);
});

test('who is not known is asked for a token, a wrong one is refused, and log-out ends the session', async (t) => {
  const server = await startServer(t);
  const page = await newPage(t);
  await page.goto(`${server.url}/jobs`);
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Token').fill(server.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
  await page.reload();
  await page.getByLabel('Token').waitFor();
});
