import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../server/support.ts';
import { newFleet } from '../support/fleet.ts';
import { enqueueAll, newPage } from './support.ts';

const TABS = 8; // a browser opens six connections to a server

const isLive = (tab: Page): Promise<void> => tab.getByRole('button', { name: /^Live/ }).waitFor();

test('eight tabs are live at once, and stay live when some are closed', async (t) => {
  const server = await startServer(t);
  const first = await newPage(t);
  await first.goto(`${server.url}/jobs#token=${server.token}`);
  await isLive(first);
  const tabs = [first];
  while (tabs.length < TABS) tabs.push(await first.context().newPage());
  await Promise.all(tabs.slice(1).map((tab) => tab.goto(`${server.url}/jobs`)));
  await Promise.all(tabs.map(isLive));
  await enqueueAll(server.queue, [{ id: 'seen-by-all', command: 'true' }]);
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'seen-by-all' }).waitFor()));

  const kept = tabs.splice(2);
  for (const tab of tabs) await tab.close();
  await enqueueAll(server.queue, [{ id: 'seen-by-the-rest', command: 'true' }]);
  await Promise.all(kept.map((tab) => tab.getByRole('link', { name: 'seen-by-the-rest' }).waitFor()));

  await kept[0]?.getByRole('button', { name: /^Live/ }).click();
  await kept[0]?.getByText('this page shows the state at that time', { exact: false }).waitFor();
  await enqueueAll(server.queue, [{ id: 'paused-here', command: 'true' }]);
  await kept[1]?.getByRole('link', { name: 'paused-here' }).waitFor();
  assert.equal(await kept[0]?.getByRole('link', { name: 'paused-here' }).count(), 0);
  await server.stop();
  for (const tab of kept.slice(1)) await tab.getByText(/^Not live since .*the server is not responding/).waitFor();
});

test('tabs that follow an output from different lines show the same lines', async (t) => {
  const fleet = await newFleet(t);
  const server = await startServer(t, { db: fleet.queue.place.name });
  const step = (name: string): string => `until [ -e ${name} ]; do sleep 0.05; done`;
  await fleet.add({
    id: 'steps',
    command: `echo ä1; ${step('a')}; echo ä2; ${step('b')}; echo ä3`,
    cwd: fleet.cli.folder,
  });
  await fleet.worker();
  const go = (name: string): void => fs.writeFileSync(path.join(fleet.cli.folder, name), '');
  const first = await newPage(t);
  await first.goto(`${server.url}/jobs/steps#token=${server.token}`);
  await first.getByText('ä1', { exact: true }).waitFor();
  go('a');
  await first.getByText('ä2', { exact: true }).waitFor();
  const second = await first.context().newPage();
  await second.goto(`${server.url}/jobs/steps`);
  await second.getByText('ä2', { exact: true }).waitFor();
  go('b');
  for (const tab of [first, second]) {
    await tab.getByText('ä3', { exact: true }).waitFor();
    await tab.getByRole('heading', { name: /completed/ }).waitFor();
    assert.deepEqual(await tab.locator('.log-line code').allTextContents(), ['ä1', 'ä2', 'ä3']);
  }
});
