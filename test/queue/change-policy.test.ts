// The policy is asked of whatever is done again, and of hooks: by ids all or none, of many each one for itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { addWorker, openQueue, runJob } from '../support/library.ts';
import { rejection } from '../support/rejection.ts';

const NO_SHELL = 'shell commands are not allowed';

const stateOf = async (queue: Queue, id: string): Promise<string> => (await queue.find(id)).state;

const reasons = async (queue: Queue): Promise<unknown[]> =>
  ((await queue.activity.list(9)) ?? []).flatMap(({ action, detail }) => (action === 'rejected' ? [detail] : []));

test('of many jobs the allowed ones run again, and the others are reported by reason', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([
    { id: 'a', command: ['true'] },
    { id: 'b', command: 'true' },
    { id: 'c', command: 'false' },
    { id: 'd', command: ['true'] },
  ]);
  const all = await queue.cancel(['a', 'b', 'c', 'd']);
  await queue.setSetting('policy_shell', 'reject');
  const ids = all.map(({ id }) => id);
  const changed = await queue.changeMany(ids, {}, { kind: 'retry' });
  assert.deepEqual(changed, { jobs: 2, ending: [], rejections: [{ reason: NO_SHELL, jobs: 2 }] });
  assert.deepEqual([await stateOf(queue, 'a'), await stateOf(queue, 'b')], ['pending', 'cancelled']);
  assert.deepEqual(await reasons(queue), [{ reason: NO_SHELL, jobs: 2 }], 'recorded once');
  await queue.setSetting('policy_queues', 'default');
  const moved = await queue.changeMany(['a', 'd'], {}, { kind: 'edit', edit: { queue: 'other' } });
  assert.deepEqual([moved.jobs, moved.rejections[0]?.reason], [0, "queue 'other' accepts no jobs"]);
});

test('by ID, and as a part of a workflow, one disallowed job rejects all, and is named', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([
    { id: 'a', command: ['true'], group: 'g' },
    { id: 'b', command: 'true', group: 'g', depends_on: ['a'] },
  ]);
  await queue.cancel(['a', 'b']);
  await queue.setSetting('policy_shell', 'reject');
  const byIds = await rejection('rejected_by_policy', () => queue.retry(['a', 'b']));
  assert.match(byIds.message, /job 'b': shell commands are not allowed/);
  const plan = await queue.planRerun(['group:g'], 'all');
  const asPart = await rejection('rejected_by_policy', () => queue.rerun(plan));
  assert.match(asPart.message, /job 'b': /);
  assert.deepEqual([await stateOf(queue, 'a'), await stateOf(queue, 'b')], ['cancelled', 'cancelled']);
});

test('of a group the allowed jobs run again', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([
    { id: 'a', command: ['true'], group: 'g', max_retries: 0 },
    { id: 'b', command: 'true', group: 'g', max_retries: 0 },
  ]);
  await addWorker(queue, 'w1');
  for (const id of ['a', 'b']) await runJob(queue, id, 'w1', 'failed');
  await queue.setSetting('policy_shell', 'reject');
  const changed = await queue.groups.change('g', 'retry', () => {});
  assert.deepEqual(changed, { jobs: 1, rejections: [{ reason: NO_SHELL, jobs: 1 }] });
});

test('a disallowed hook is rejected when it is set, on all jobs and on a queue', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([{ command: ['true'], group: 'g' }]);
  await queue.setSetting('policy_programs', 'true; /bin/sh -c *.sh');
  for (const set of [
    () => queue.setSetting('on_dead', 'mail boss'),
    () => queue.queues.set('mail', { hooks: { on_dead: 'mail boss' }, limit: { concurrency: 1 } }),
  ]) {
    const rejected = await rejection('rejected_by_policy', set);
    assert.match(rejected.message, /hook on_\w+: program '\/bin\/sh' is not allowed/);
  }
  assert.deepEqual(await queue.queues.limits(), [], 'and nothing else was set');
  await queue.setSetting('on_dead', './tell.sh');
  await queue.setSetting('on_success', 'https://example.com/hook');
  await queue.setSetting('policy_recipes_only', 'everybody');
  const rejected = await rejection('rejected_by_policy', () => queue.setSetting('on_dead', './tell.sh'));
  assert.match(rejected.message, /the hook on_dead is a custom command/);
  await queue.setSetting('on_dead', 'none');
});

test('an unknown sandbox is rejected as a setting and on a queue, with the existing ones', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('sandbox_profiles', '{"build":{"network":true}}');
  const setting = await rejection('invalid_setting', () => queue.setSetting('sandbox', 'strct'));
  assert.equal(setting.message, "sandbox profile 'strct' not found");
  assert.equal(setting.hint, "did you mean 'strict'? known profiles: strict, network, readonly, build, none");
  const ofQueue = await rejection('invalid_job', () => queue.queues.set('ci', { confinement: { sandbox: 'zzz' } }));
  assert.equal(ofQueue.hint, 'known profiles: strict, network, readonly, build, none');
  await queue.setSetting('sandbox', 'build');
  await queue.setSetting('sandbox', 'none');
  assert.equal((await queue.settings()).value('sandbox'), null);
});
