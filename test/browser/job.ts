import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { assertAccessible, assertFits, assertLooksGood, enqueueAll, openPage, openPageOf } from './support.ts';

test('a waiting job shows why it waits, and can be held, released, edited and cancelled', async (t) => {
  const { page, queue, go } = await openPage(t, '/');
  await enqueueAll(queue, [{ id: 'mail', command: 'send', run_at: '+1h' }]);
  await go('/jobs/mail');
  await page.getByText('Scheduled for later').waitFor();
  await page.getByRole('button', { name: 'Hold' }).click();
  await page.getByRole('button', { name: 'Release' }).waitFor();
  assert.equal((await queue.get('mail'))?.held, 'by hand');
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('button', { name: 'Hold' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(/^Priority/).fill('9');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await until('the job is changed', async () => (await queue.get('mail'))?.priority === 9);
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await until('the job is cancelled', async () => (await queue.get('mail'))?.state === 'cancelled');
  await page.getByRole('button', { name: 'Retry' }).waitFor();
});

test('output appears in colours as it is written, and the end of the job without a reload', async (t) => {
  const fleet = await newFleet(t);
  const { page } = await openPageOf(t, fleet.queue, '/jobs');
  await fleet.add({
    id: 'build',
    command: 'printf "\\033[32mfirst\\033[0m <b>not bold</b>\\n"; until [ -e go ]; do sleep 0.05; done; echo last',
    cwd: fleet.cli.folder,
  });
  await fleet.worker();
  await page.getByRole('link', { name: 'build' }).click();
  const log = page.getByRole('region', { name: 'lines of output' });
  await log.getByText('<b>not bold</b>').waitFor();
  assert.equal(await log.locator('[style*="--ansi-green"]').textContent(), 'first');
  fs.writeFileSync(path.join(fleet.cli.folder, 'go'), '');
  await log.getByText('last').waitFor();
  await page.getByRole('heading', { name: /completed/ }).waitFor();
  await page.getByRole('cell', { name: 'exit code 0' }).waitFor();
});

test('a long output is searchable, has links to lines, and renders only visible lines', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/jobs');
  await fleet.add({ id: 'long', command: 'seq 1 30000 | sed "s/^/row /"' });
  await fleet.worker();
  await fleet.untilState('long', 'completed');
  await go('/jobs/long#L15000');
  await page.locator('.log-line[data-at=true]').getByText('row 15000', { exact: true }).waitFor();
  assert.ok((await page.locator('.log-line').count()) < 120);
  await page.getByLabel('Search the output').fill('row 29999');
  await page.locator('mark', { hasText: 'row 29999' }).waitFor();
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await assertFits(page);
});

test('a very long output shows its head, the missing part and its tail with correct line numbers', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: 3_000_000 });
  const { page, go } = await openPageOf(t, fleet.queue, '/jobs');
  await fleet.add({ id: 'huge', command: 'seq 1 400000 | sed "s/^/row /"' });
  await fleet.worker();
  await fleet.untilState('huge', 'completed');
  await go('/jobs/huge');
  const log = page.getByRole('region', { name: 'lines of output' });
  await page.getByText(/line numbers start there/).waitFor();
  assert.equal(await log.getByRole('link').count(), 0);
  await page.getByRole('button', { name: 'Load everything' }).click();
  await log.getByRole('link', { name: 'line 1', exact: true }).waitFor();
  assert.equal(await log.locator('.log-line').first().textContent(), '1row 1');
  await log.press('End');
  await log.getByText('row 400000', { exact: true }).waitFor();
  await page.getByLabel('Search the output').fill('row 399999');
  const found = page.locator('.log-line[data-at=true]');
  await found.getByText('row 399999', { exact: true }).waitFor();
  const label = await found.getByRole('link').textContent();
  assert.match(label ?? '', /^\+\d+$/);
  await page.getByLabel('Search the output').fill('');
  await go(`/jobs/huge#L${label}`);
  await page.reload();
  await found.getByText('row 399999', { exact: true }).waitFor();
  await log.press('Home');
  await log.press('PageDown');
  await log.getByText('row 20', { exact: true }).waitFor();
  await page.getByText(/^\d+(\.\d+)? MB in the middle were not stored/).waitFor();
  await page.getByRole('button', { name: 'Show where' }).click();
  await log.getByText('Line numbers below start here.', { exact: false }).waitFor();
  const gapAt = Number(label?.slice(1));
  assert.ok(gapAt > 1);
});

test('a link to a line works in an output of more than 2 MB', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/jobs');
  await fleet.add({ id: 'large', command: 'seq 1 300000 | sed "s/^/row /"' });
  await fleet.worker();
  await fleet.untilState('large', 'completed');
  await go('/jobs/large#L1234');
  await page.locator('.log-line[data-at=true]').getByText('row 1234', { exact: true }).waitFor();
  await page.getByText(/^300,000 lines · 3\.\d MB/).waitFor();
  await go('/jobs/large#L300001');
  await page.reload();
  await page.getByText('Line 300001 is not in this output.').waitFor();
});

test('a job without output is reported as such, without an error in the browser', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/jobs');
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await fleet.add({ id: 'silent', command: 'true' });
  await fleet.worker();
  await fleet.untilState('silent', 'completed');
  await go('/jobs/silent');
  await page.getByText('No output.').waitFor();
  await go('/jobs/silent#L1');
  await page.reload();
  await page.getByText('No output.').waitFor();
  assert.deepEqual(errors, []);
});

test('each attempt links to its own output', async (t) => {
  const fleet = await newFleet(t);
  const opened = await openPageOf(t, fleet.queue, '/jobs');
  const { page, go } = opened;
  await fleet.add({
    id: 'flaky',
    command: 'echo "try $QUEUECTL_ATTEMPT"; exit 3',
    max_retries: 1,
    backoff_base: 0,
  });
  await fleet.worker();
  await fleet.untilState('flaky', 'dead');
  await go('/jobs/flaky');
  await page.getByText('try 2', { exact: true }).waitFor();
  await page.getByRole('button', { name: '1', exact: true }).click();
  await page.getByText('try 1', { exact: true }).waitFor();
  assert.match(page.url(), /attempt=1$/);
  await page.getByText('queuectl retry flaky').waitFor();
  await assertLooksGood(t, opened, '/jobs/flaky', (shown) => shown.getByText('try 2', { exact: true }).waitFor());
});

test('the job screen reports that the job was deleted', async (t) => {
  const { page, queue, go } = await openPage(t, '/');
  await enqueueAll(queue, [{ id: 'gone', command: 'true' }]);
  await go('/jobs/gone');
  await page.getByRole('button', { name: 'Hold' }).waitFor();
  await queue.remove(['gone']);
  await page.getByText('This job was deleted').waitFor();
});

test('a clone has every field of its job, and so does the shown command', async (t) => {
  const { page, queue, go } = await openPage(t, '/');
  const hooks = { on_success: 'echo done' };
  await enqueueAll(queue, [
    { id: 'before', command: 'true', run_at: '+1h' },
    {
      id: 'first',
      command: ['echo', 'a b'],
      name: 'report',
      key: 'eu',
      env: { LANG: 'C' },
      hooks,
      no_retry_codes: [9],
      backoff_base: 4,
      run_at: '2999-01-01T00:00:00.000Z',
      depends_on: [{ on: 'before', rule: 'end' }],
    },
  ]);
  await go('/jobs/first');
  await page.getByText(/^queuectl enqueue '\{"command":\["echo","a b"\].*"LANG":"C"/).waitFor();
  await page.getByRole('button', { name: 'Clone' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(/^ID/).fill('second');
  await form.getByText('More fields').click();
  await assertAccessible(page);
  await form.getByLabel(/^Fields as JSON/).fill('{');
  await form.getByRole('button', { name: 'Enqueue', exact: true }).click();
  await form.getByRole('alert').getByText('Must be a JSON object', { exact: false }).waitFor();
  await form.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Clone' }).click();
  await form.getByLabel(/^ID/).fill('second');
  await form.getByRole('button', { name: 'Enqueue', exact: true }).click();
  await page.waitForURL('**/jobs/second');
  const [first, second] = [await queue.get('first'), await queue.get('second')];
  for (const field of ['command', 'name', 'key', 'env', 'hooks', 'outcomeRules', 'backoffBase', 'runAt'] as const)
    assert.deepEqual(second?.[field], first?.[field], field);
  assert.deepEqual(second?.dependsOn, first?.dependsOn);
});

test('a clone lists the parts that cannot be copied', async (t) => {
  const fleet = await newFleet(t);
  fs.writeFileSync(fleet.path('input'), 'a line');
  await fleet.cli.text('enqueue', '--id', 'first', '--delay', '1h', '--stdin', fleet.path('input'), 'cat');
  const { page } = await openPageOf(t, fleet.queue, '/jobs/first');
  await page.getByRole('button', { name: 'Clone' }).click();
  const note = page.getByRole('dialog').getByText('Not copied:', { exact: false });
  assert.match(
    (await note.textContent()) ?? '',
    /standard input \(6 B\); the environment of the enqueuing shell \(\d+ variables?\)/,
  );
});

test('retrying a completed job needs confirmation, also by key', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/jobs');
  await fleet.add({ id: 'once', command: 'true' });
  await fleet.worker();
  await fleet.untilState('once', 'completed');
  await go('/jobs/once');
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  await page.keyboard.press('r');
  const question = page.getByRole('dialog', { name: 'Retry once?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await question.waitFor();
  assert.equal((await fleet.queue.history('once')).length, 1);
  await question.getByRole('button', { name: 'Retry the job' }).click();
  await until('the job runs again', async () => (await fleet.queue.history('once')).length === 2);
});

test('every screen shows escape sequences, markup and bidirectional text of a job as text', async (t) => {
  const fleet = await newFleet(t);
  const { page, go } = await openPageOf(t, fleet.queue, '/jobs');
  const nasty =
    '\u001b]52;c;ZXZpbA==\u0007\u001b]0;title\u0007\u001b[2J<img src=x onerror="window.hit=1">\u202egnp.exe';
  await fleet.add({ id: 'nasty', command: ['printf', '%s\\n', nasty], max_retries: 0 });
  await fleet.add({ id: 'fails', command: `echo '${nasty}' >&2; exit 3`, max_retries: 0 });
  await fleet.worker();
  await fleet.untilState('nasty', 'completed');
  await fleet.untilState('fails', 'dead');
  for (const path of ['/jobs', '/jobs/nasty', '/jobs/fails', '/dead', '/']) {
    await go(path);
    const isOfJob = path.startsWith('/jobs');
    await page
      .getByText(isOfJob ? '<img src=x' : 'fails', { exact: false })
      .first()
      .waitFor();
    const text = String(await page.evaluate('document.body.innerText'));
    for (const character of '\u001b\u0007\u202e') assert.ok(!text.includes(character), path);
    assert.equal(await page.evaluate('window.hit ?? 0'), 0);
    assert.doesNotMatch(await page.title(), /^title/);
  }
});
