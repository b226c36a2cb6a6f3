// Hooks: which ends they are about, what they may say, and what the job that runs one is told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryAddress } from '../../src/job/flow/delivery.ts';
import { type Edit, partsAfter } from '../../src/job/input/edit.ts';
import { hookJob, jobSubject } from '../../src/job/flow/hook-job.ts';
import { type Hooks, hookCalls, hooksIn, hooksText, problemWithHook } from '../../src/job/flow/hooks.ts';
import { checkedHooks } from '../../src/job/input/input-hooks.ts';
import { runningJob } from '../support/jobs.ts';
import { rejected } from '../support/rejection.ts';
import { read } from './reading.ts';

const hooks: Hooks = { on_success: 'good', on_failure: 'bad', on_dead: 'dead' };
const context = { newId: () => 'h1', place: 'queue.db', maxRetries: 3, timeoutSeconds: null };

test('every unsuccessful result counts as failed, as for dependencies on a failure', () => {
  const events = (outcome: Parameters<typeof hookCalls>[0]) => hookCalls(outcome, [hooks]).map(({ event }) => event);
  assert.deepEqual(events('completed'), ['success']);
  assert.deepEqual(events('dead'), ['failure', 'dead']);
  assert.deepEqual(events('cancelled'), ['failure']);
  assert.deepEqual(events('deleted'), []);
});

test('the same target runs once for an event, however often it is named', () => {
  const calls = hookCalls('completed', [{ on_success: 'a' }, { on_success: 'b' }, { on_success: 'a' }]);
  assert.deepEqual(calls, [
    { event: 'success', target: 'a' },
    { event: 'success', target: 'b' },
  ]);
});

test('stored hooks are read back, and unreadable ones are ignored', () => {
  assert.deepEqual(hooksIn(hooksText(hooks)), hooks);
  assert.equal(hooksText({}), null);
  for (const text of [null, 17, '', 'x', '[]', 'null', '{"on_dead":17}', '{"on_dead":" "}', '{"other":"x"}'])
    assert.deepEqual(hooksIn(text), {}, String(text));
});

test('a webhook uses http or https, and its URL holds no password', () => {
  for (const fine of ['echo done', 'https://example.com/x?y=1', 'HTTP://example.com', 'curl ftp://host/'])
    assert.equal(problemWithHook(fine), null, fine);
  for (const wrong of [
    'file:///etc/passwd',
    'ftp://example.com/x',
    ' gopher://example.com',
    'http://',
    'https://exa mple.com',
    'https://me:secret@example.com/',
  ])
    assert.notEqual(problemWithHook(wrong), null, wrong);
});

test('hooks are given together or one by one, and an option wins over the field', () => {
  const together = read({ command: 'x', hooks: { on_dead: 'a', onSuccess: 'b', on_failure: null } });
  assert.deepEqual(together.hooks, { on_dead: 'a', on_success: 'b' });
  assert.deepEqual(read({ command: 'x', on_dead: 'a', hooks: { on_success: 'b' } }).hooks, together.hooks);
  const { hooks: overridden } = read({ command: 'x', hooks: { on_dead: 'a', on_success: 'b' } }, { on_dead: 'c' });
  assert.deepEqual(overridden, { on_dead: 'c', on_success: 'b' });
});

test('invalid hooks are rejected with one sentence', () => {
  const wrong: [unknown, RegExp][] = [
    ['echo', /'hooks' must be an object of on_success, on_failure, on_dead, not 'echo'/],
    [{ on_daed: 'x' }, /unknown field 'on_daed' in 'hooks'/],
    [{ on_dead: 17 }, /'hooks.on_dead' must be a shell command or a URL/],
    [{ on_dead: '' }, /'hooks.on_dead' is empty/],
    [{ on_dead: 'ftp://x/' }, /'hooks.on_dead': unsupported webhook scheme 'ftp:\/\/'/],
  ];
  for (const [given, sentence] of wrong)
    assert.match(rejected('invalid_job', () => read({ command: 'x', hooks: given })).message, sentence);
  rejected('invalid_job', () => read({ command: 'x', hooks: { on_dead: 'a' }, on_dead: 'b' }));
  rejected('invalid_job', () => checkedHooks({ on_dead: 'file:///x' }));
});

test("a job with a very long record still fits a program's arguments", () => {
  const long = '\u0001'.repeat(100_000);
  const job = runningJob({ command: long, lastError: long, cwd: `/${long}`, name: 'n' });
  const made = hookJob(jobSubject(job, 'dead', 1), { event: 'dead', target: 'http://x/' }, context);
  const body = made.env.QUEUECTL_HOOK_BODY ?? '';
  assert.ok(Buffer.byteLength(body) < 131_000, String(body.length));
  assert.equal(JSON.parse(body).job.is_cut, true);
  assert.equal(JSON.parse(body).job.name, 'n');
});

test('the command of a delivery is recognised by its complete form', () => {
  for (const command of [
    ['webhook', 'POST', 'http://x/'],
    ['queuectl', '__webhook', 'http://x/'],
  ]) {
    assert.equal(deliveryAddress({ command, hookOf: 'a' }), 'http://x/');
    assert.equal(deliveryAddress({ command, hookOf: null }), null, 'only hooks deliver');
    rejected('invalid_job', () => read({ command }));
  }
  for (const other of [
    'webhook POST http://x/',
    'queuectl __webhook http://x/',
    ['queuectl', '__webhook'],
    ['x', '__webhook', 'y'],
  ])
    assert.equal(deliveryAddress({ command: other, hookOf: 'a' }), null);
});

test('an edit adds nothing to a hook job, to which the policy may not apply', () => {
  const job = { ...runningJob({}), hookOf: 'a' };
  const secrets = [{ name: 'TOKEN', variable: 'NODE_OPTIONS', as: 'variable' }] as const;
  const edits: Edit[] = [
    { command: ['true'] },
    { env: { NODE_OPTIONS: 'x' } },
    { cwd: '/srv' },
    { confinement: { secrets } },
  ];
  for (const edit of edits) {
    rejected('invalid_job', () => partsAfter(job, edit));
    assert.doesNotThrow(() => partsAfter({ ...job, hookOf: null }, edit));
  }
  assert.doesNotThrow(() => partsAfter(job, { confinement: { sandbox: 'strict' } }));
});
