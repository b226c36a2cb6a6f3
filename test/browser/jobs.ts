import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage } from './support.ts';

test('the search line searches all jobs, and the URL keeps the search', async (t) => {
  const { page, queue, url } = await openPage(t, '/jobs');
  await enqueueAll(queue, [
    { id: 'one', command: 'make one' },
    { id: 'two', command: 'make two', queue: 'mail' },
  ]);
  await page.getByRole('combobox', { name: 'Search jobs' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('que');
  await page.getByRole('option', { name: /queue:/ }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.type('mail');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'one' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'two' }).waitFor();
  assert.equal(page.url(), `${url}/jobs?filter=queue%3Amail`);
  await page.getByText('1 job', { exact: true }).waitFor();
});

test('an invalid filter is explained below the search line', async (t) => {
  const { page } = await openPage(t, '/jobs?filter=stat:dead');
  await page.getByText("unknown field 'stat'", { exact: false }).waitFor();
  await page.getByText("Did you mean 'state:'", { exact: false }).waitFor();
});

test('pressing a state adds it to the filter, and pressing it again removes it', async (t) => {
  const { page, queue } = await openPage(t, '/jobs');
  await enqueueAll(queue, [
    { id: 'a', command: 'true' },
    { id: 'b', command: 'true' },
  ]);
  await queue.cancel(['b']);
  const chip = page.getByRole('button', { name: /^cancelled/ });
  await chip.click();
  await page.waitForURL('**/jobs?filter=state%3Acancelled');
  await page.getByRole('link', { name: 'a', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'b', exact: true }).waitFor();
  await chip.click();
  await page.getByRole('link', { name: 'a', exact: true }).waitFor();
});

test('an action on all matching jobs shows their number, asks for confirmation and changes all of them', async (t) => {
  const { page, queue, go } = await openPage(t, '/jobs');
  await enqueueAll(
    queue,
    Array.from({ length: 60 }, (_, i) => ({ id: `job-${i}`, command: 'true', queue: 'mail' })),
  );
  await enqueueAll(queue, [{ id: 'other', command: 'true' }]);
  await go('/jobs?filter=queue:mail');
  await page.getByLabel('select this page').check();
  await page.getByText('50 selected').waitFor();
  await page.getByRole('button', { name: 'Select all 60 matching jobs' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 60 jobs?' });
  await dialog.getByText('queuectl cancel --filter queue:mail').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel 60 jobs' }).click();
  await page.getByText('60 jobs cancelled').waitFor();
  assert.equal(await queue.countOf({ states: ['cancelled'] }), 60);
  assert.equal((await queue.get('other'))?.state, 'pending');
});

test('jobs selected by keys are deleted only after confirmation', async (t) => {
  const { page, queue, go } = await openPage(t, '/jobs');
  await enqueueAll(
    queue,
    ['a', 'b', 'c'].map((id) => ({ id, command: 'true' })),
  );
  await go('/jobs');
  await page.getByRole('link', { name: 'a', exact: true }).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await queue.countOf({}), 3);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 jobs' }).click();
  await until('two of three are gone', async () => (await queue.countOf({})) === 1);
  assert.equal((await queue.get('a'))?.id, 'a');
});

test('the form enqueues a new job and shows errors at their field', async (t) => {
  const { page, queue } = await openPage(t, '/jobs');
  await page.getByRole('button', { name: 'New job' }).click();
  const form = page.getByRole('dialog', { name: 'New job' });
  await assertAccessible(page);
  await form.getByLabel(/^Command/).fill('make site');
  await form.getByLabel(/^Priority/).fill('high');
  await form.getByLabel('Tags').fill('nightly eu');
  await form.getByLabel(/^ID/).fill('site');
  await form.getByRole('button', { name: 'Enqueue', exact: true }).click();
  await form.getByRole('alert').getByText('Must be a whole number', { exact: false }).waitFor();
  assert.equal(await form.getByLabel(/^Priority/).getAttribute('aria-invalid'), 'true');
  await form.getByLabel(/^Priority/).fill('7');
  await form.getByRole('button', { name: 'Enqueue', exact: true }).click();
  await page.waitForURL('**/jobs/site');
  const job = await queue.get('site');
  assert.deepEqual([job?.command, job?.priority, job?.tags], ['make site', 7, ['nightly', 'eu']]);
});

test('pages follow the cursor, and the back button returns to the previous page', async (t) => {
  const { page, queue, go } = await openPage(t, '/jobs');
  await enqueueAll(
    queue,
    Array.from({ length: 70 }, (_, i) => ({ id: `job-${i}`, command: 'true' })),
  );
  await go('/jobs');
  await page.getByRole('link', { name: 'job-69' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'job-19' }).waitFor();
  assert.equal(await page.getByRole('row').count(), 21);
  await page.goBack();
  await page.getByRole('link', { name: 'job-69' }).waitFor();
});

test('the list of jobs looks good on all screen sizes', async (t) => {
  const opened = await openPage(t, '/jobs');
  const long = `convert ${'a-long-name '.repeat(30)}`;
  await enqueueAll(opened.queue, [
    { id: 'x'.repeat(60), command: long, tags: ['a'] },
    { id: 'b', command: ['ls', 'a b'] },
  ]);
  await opened.queue.cancel(['b']);
  await assertLooksGood(t, opened, '/jobs', (page) => page.getByRole('link', { name: 'b', exact: true }).waitFor());
});

test('a search continues until it finds a job or has checked all jobs', async (t) => {
  const { page, queue, go } = await openPage(t, '/');
  await enqueueAll(queue, [{ id: 'needle', command: 'make one' }]);
  const hay = (part: number) =>
    Array.from({ length: 10_000 }, (_, i) => ({
      id: `hay-${part}-${i}`,
      command: `make ${'hay '.repeat(40)}`,
    }));
  for (let part = 0; part < 15; part++) await enqueueAll(queue, hay(part));
  await go('/jobs?filter=make+one');
  const none = page.getByText('No matching jobs');
  await page.getByRole('link', { name: 'needle' }).or(none).waitFor();
  assert.equal(await none.count(), 0);
  await go('/jobs?filter=nowhere');
  await none.waitFor();
});

test('the back button restores the position in the list', async (t) => {
  const { page, queue, go } = await openPage(t, '/jobs');
  await enqueueAll(
    queue,
    Array.from({ length: 50 }, (_, i) => ({ id: `job-${i}`, command: 'true' })),
  );
  await go('/jobs');
  await page.getByRole('link', { name: 'job-5', exact: true }).scrollIntoViewIfNeeded();
  const before = Number(await page.evaluate('scrollY'));
  assert.ok(before > 0);
  await page.getByRole('link', { name: 'job-5', exact: true }).click();
  await page.getByRole('button', { name: 'Hold' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'job-5', exact: true }).waitFor();
  await until('the position is restored', async () => Number(await page.evaluate('scrollY')) === before);
});

test('rows stay in place under the mouse, and a note explains why', async (t) => {
  const { page, queue, go } = await openPage(t, '/jobs');
  await enqueueAll(queue, [{ id: 'a', command: 'true' }]);
  await go('/jobs');
  const row = page.getByRole('row', { name: /select a/ });
  const link = page.getByRole('link', { name: 'b', exact: true });
  const note = page.getByText('Rows stay in place while the mouse is over them.');
  await row.hover();
  await enqueueAll(queue, [{ id: 'b', command: 'true' }]);
  await note.waitFor();
  assert.equal(await link.count(), 0);
  await page.mouse.move(0, 0);
  await link.waitFor();
  await note.waitFor({ state: 'detached' });
});

test('rows that the user deletes disappear under the mouse', async (t) => {
  const { page, queue, go } = await openPage(t, '/jobs');
  await enqueueAll(
    queue,
    ['a', 'b', 'c'].map((id) => ({ id, command: 'true' })),
  );
  await go('/jobs');
  await page.getByRole('checkbox', { name: 'select b' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Delete 1 job' });
  await sure.focus();
  await page.getByRole('row', { name: /select a/ }).hover({ force: true });
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /select a/ }).hover();
  await page.getByRole('row', { name: /select b/ }).waitFor({ state: 'detached' });
});

test('commands are readable on a screen of 1024 px, also for viewers', async (t) => {
  const opened = await openPage(t);
  await enqueueAll(opened.queue, [{ id: 'b', command: `convert ${'a-long-name '.repeat(30)}` }]);
  for (const role of ['viewer', 'operator'] as const) {
    const page = await openAs(t, opened, role, '/jobs');
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('link', { name: 'b', exact: true }).waitFor();
    const widths = (await page.evaluate(
      '["state", "id", "command"].map((name) => document.querySelector("td.cell-" + name).clientWidth)',
    )) as number[];
    assert.ok(widths[0] && widths[0] >= 110, `${role}: the state has ${widths[0]} px`);
    assert.ok(widths[1] && widths[1] >= 100, `${role}: the id has ${widths[1]} px`);
    assert.ok(widths[2] && widths[2] >= 200, `${role}: the command has ${widths[2]} px`);
  }
});

test('Escape does not discard a form with changes', async (t) => {
  const { page } = await openPage(t, '/jobs');
  await page.getByRole('button', { name: 'New job' }).click();
  const form = page.getByRole('dialog', { name: 'New job' });
  await form.getByLabel(/^Command/).fill('make site');
  await page.keyboard.press('Escape');
  await form.getByText('Your changes are not saved yet', { exact: false }).waitFor();
  assert.equal(await form.getByLabel(/^Command/).inputValue(), 'make site');
  await form.getByRole('button', { name: 'Cancel', exact: true }).click();
  await form.waitFor({ state: 'detached' });
});
