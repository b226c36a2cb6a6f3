import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../server/support.ts';
import { type Fleet, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { enqueueAll, newPage, openPage } from './support.ts';

test('numbers update live, stop while paused, and catch up afterwards', async (t) => {
  const { page, queue } = await openPage(t, '/jobs');
  await enqueueAll(queue, [{ id: 'a', command: 'true' }]);
  await page.getByRole('link', { name: 'a', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).click();
  await page.getByText('this page shows the state at that time', { exact: false }).waitFor();
  await enqueueAll(queue, [{ id: 'b', command: 'true' }]);
  assert.equal(await page.getByRole('link', { name: 'b', exact: true }).count(), 0);
  await page.keyboard.press('p');
  await page.getByRole('link', { name: 'b', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
});

test('a page without a server shows since when it is not live, and reconnects', async (t) => {
  const fleet = await newFleet(t);
  const db = fleet.queue.place.name;
  await fleet.add({ id: 'before', command: 'true' });
  const first = await startServer(t, { db });
  const page = await newPage(t);
  await page.goto(`${first.url}/jobs#token=${first.token}`);
  await page.getByRole('combobox', { name: 'Search jobs' }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
  await page.getByRole('link', { name: 'before', exact: true }).waitFor();
  await first.stop();
  await page.getByText(/^Not live since .*the server is not responding/).waitFor();
  await page.getByRole('link', { name: 'before', exact: true }).waitFor();
  assert.equal(await page.getByText('The server cannot be reached').count(), 0);
  await fleet.add({ id: 'meanwhile', command: 'true' });
  await startServer(t, { db, port: Number(new URL(first.url).port) });
  await page.getByRole('button', { name: /^Live/ }).waitFor();
  await page.getByRole('link', { name: 'meanwhile' }).waitFor();
  assert.equal(await page.getByText('Not live since').count(), 0);
});

interface Served {
  readonly url: string;
  readonly address: string;
  readonly pid: number;
}

/** Starts `queuectl serve` as a separate process. */
async function serve(fleet: Fleet, port: number): Promise<Served> {
  const { stdout } = fleet.cli.start(['serve', '--json', '--port', String(port)]);
  return JSON.parse(await until('the server has printed its URL', () => /.*\n/.exec(stdout())?.[0]));
}

test('after a server crash and restart, pages reconnect and screens load', async (t) => {
  const fleet = await newFleet(t);
  const first = await serve(fleet, 0);
  const page = await newPage(t);
  const another = await newPage(t);
  await page.goto(first.address.replace('/#', '/jobs#'));
  await another.goto(first.address);
  for (const shown of [page, another]) await shown.getByRole('button', { name: /^Live/ }).waitFor();
  process.kill(first.pid, 'SIGKILL');
  for (const shown of [page, another])
    await shown.getByText(/^Not live since .*the server is not responding/).waitFor();
  await another.getByRole('link', { name: 'Queues' }).first().click();
  await another.getByText(/could not be loaded because the server is not responding/).waitFor();
  await fleet.add({ id: 'meanwhile', command: 'true', queue: 'mail' });

  const second = await serve(fleet, Number(new URL(first.url).port));
  try {
    await page.getByRole('link', { name: 'meanwhile' }).waitFor();
    await another.getByRole('link', { name: 'mail' }).first().waitFor();
    for (const shown of [page, another]) {
      await shown.getByRole('button', { name: /^Live/ }).waitFor();
      assert.equal(await shown.getByText('Not live since').count(), 0);
    }
  } finally {
    process.kill(second.pid, 'SIGTERM');
  }
});

test('the login asks for a token and rejects a wrong one, and logout ends the session', async (t) => {
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
