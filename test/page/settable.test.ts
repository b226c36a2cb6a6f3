import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INPUT_RULES, type InputName } from '../../src/job/fields/fields.ts';
import { jobToJson } from '../../src/job/wire.ts';
import { hiddenVariables, settableOf } from '../../page/core/settable.ts';
import type { Job } from '../../page/core/types.ts';
import { startServer } from '../server/support.ts';

/** A value that no job has by itself, for every field that can be set. */
const ALL: Readonly<Partial<Record<InputName, unknown>>> = {
  command: ['echo', 'a b'],
  queue: 'mail',
  priority: 3,
  max_retries: 7,
  backoff_base: 4,
  backoff_strategy: 'linear',
  timeout_seconds: 90,
  run_at: '2999-01-01T00:00:00.000Z',
  cwd: '/tmp',
  env: { LANG: 'C' },
  split_output: true,
  success_codes: [0, 3],
  no_retry_codes: [9],
  snooze_code: 75,
  warn_signal: 'SIGUSR1',
  warn_seconds: 5,
  name: 'report',
  group: 'nightly',
  key: 'eu',
  key_concurrency: 2,
  weight: 2,
  depends_on: [{ on: 'before', rule: 'end' }],
  on_dependency_failure: 'hold',
  hooks: { on_success: 'echo done' },
  tags: ['a', 'b'],
  unique_key: 'only-one',
  limits: { memory_bytes: 1024 ** 3 },
  sandbox: 'strict',
  user: 'nobody',
  secrets: ['TOKEN'],
};

/** Fields that are not in a job's JSON, with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  id: 'a job like it has another',
  stdin: 'the page names its size instead',
  groupConcurrency: 'belongs to the group',
  groupHooks: 'belongs to the group',
  uniqueFor: 'is not kept with the job',
  ifExists: 'decides about the moment of enqueueing',
  recipe: 'stands for the command; tested below',
  params: 'belong to a recipe',
};

test('the JSON of a clone has every settable field', async (t) => {
  const { queue } = await startServer(t);
  await (await queue.secrets()).set('TOKEN', Buffer.from('value'), 'test');
  const { read, enqueue } = await queue.intake();
  await enqueue([read({ id: 'before', command: 'true', run_at: '+1h' })]);
  await enqueue([read({ id: 'first', ...ALL })]);
  const jsonOf = async (id: string): Promise<Job> =>
    jobToJson((await queue.get(id)) ?? assert.fail(), { env: true }) as unknown as Job;
  const settable = settableOf(await jsonOf('first'), Date.now());
  assert.deepEqual(
    Object.keys(ALL).filter((name) => !(name in settable)),
    [],
  );

  const tried = new Set(Object.keys(ALL).map((name) => INPUT_RULES[name as InputName].field as string));
  const forgotten = new Set(Object.values(INPUT_RULES).map(({ field }) => field as string));
  for (const field of [...tried, ...Object.keys(NOT_SHOWN)]) forgotten.delete(field);
  assert.deepEqual([...forgotten], [], 'a field that this test does not know');

  await enqueue([read({ ...settable, unique_key: 'another', id: 'second' })]);
  const again = settableOf(await jsonOf('second'), Date.now());
  assert.deepEqual({ ...again, unique_key: settable.unique_key }, settable);
});

test('a clone has no hidden values and no past times', () => {
  const job = {
    command: 'true',
    env: { A: '***', B: '1' },
    run_at: '2001-01-01T00:00:00.000Z',
    recipe: null,
  };
  assert.deepEqual(settableOf(job as unknown as Job, Date.now()), { command: 'true', env: { B: '1' } });
  assert.deepEqual(hiddenVariables(job), ['A']);
});

test('a recipe replaces the command that it produced', () => {
  const job = { command: ['ls', '/'], recipe: 'look', params: { at: '/' } };
  assert.deepEqual(settableOf(job as unknown as Job, Date.now()), { recipe: 'look', params: { at: '/' } });
});
