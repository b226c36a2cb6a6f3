// Hooks: what the end of a job or of a group calls for goes in as jobs of its own, once for each end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEnvironment } from '../../src/job/environment/environment.ts';
import type { HookEvent } from '../../src/job/flow/hooks.ts';
import { FINAL_STATES, type Job, type NewJob } from '../../src/job/job.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rescue } from '../support/workers.ts';
import { type Bench, type MakeBench, policy } from './bench.ts';

const ALL_HOOKS = { on_success: 'echo good', on_failure: 'echo bad', on_dead: 'echo dead' };

const hooked = (id: string, more: Partial<NewJob> = {}): NewJob =>
  newJob(id, { hooks: ALL_HOOKS, maxRetries: 0, ...more });

/** The jobs that hooks have made, in the order they came in, once everything that ended was told. */
async function hookJobs(b: Bench): Promise<Job[]> {
  while ((await b.store.dependencies.advance(100)).more);
  return (await b.all()).filter(({ hookOf }) => hookOf !== null);
}

const eventsOf = (jobs: readonly Job[]): string[] =>
  jobs.map(({ hookOf, env }) => `${hookOf} ${env.QUEUECTL_HOOK_EVENT as HookEvent}`);
const commandsOf = async (b: Bench) => (await hookJobs(b)).map(({ command }) => command);

export function hooking(bench: MakeBench): void {
  test('each result of a job runs its matching hooks and no others', async (t) => {
    const b = await bench(t);
    const ends: [string, (id: string) => Promise<unknown>, readonly string[]][] = [
      ['completes', (id) => b.run(id, 'completed'), ['success']],
      ['dies', (id) => b.run(id, 'failed'), ['failure', 'dead']],
      ['is-cancelled', (id) => b.store.cancel([id]), ['failure']],
      ['is-deleted', (id) => b.store.remove([id]), []],
    ];
    for (const [id, end] of ends) {
      await b.enqueue(hooked(id));
      await end(id);
    }
    const expected = ends.flatMap(([id, , events]) => events.map((event) => `${id} ${event}`));
    assert.deepEqual(eventsOf(await hookJobs(b)), expected);
  });

  test('an attempt that will be retried runs no hook', async (t) => {
    const b = await bench(t);
    await b.enqueue(hooked('a', { maxRetries: 1 }));
    await b.run('a', 'failed');
    assert.deepEqual(await hookJobs(b), []);
    await b.worker('w2');
    b.later(10_000);
    await b.turn();
    await b.take('a', 'w2');
    await rescue(b.store, 'w2', policy);
    assert.deepEqual(await hookJobs(b), []);
  });

  test('a result caused by a lost worker runs hooks too', async (t) => {
    const b = await bench(t);
    await b.enqueue(hooked('a'));
    for (const worker of ['w2', 'w3', 'w4']) {
      await b.worker(worker);
      await b.take('a', worker);
      await rescue(b.store, worker, policy);
    }
    assert.deepEqual(eventsOf(await hookJobs(b)), ['a failure', 'a dead']);
  });

  test('a turn reports immediately that hooks are due', async (t) => {
    const b = await bench(t);
    const ways: (() => Promise<unknown>)[] = [
      () => b.enqueue(hooked('own')),
      async () => {
        await b.store.hooks.setForQueue('mail', ALL_HOOKS);
        await b.enqueue(newJob('queued', { queue: 'mail' }));
        await b.store.hooks.setForQueue('mail', ALL_HOOKS);
      },
      async () => {
        await b.store.saveSetting('on_success', 'echo all');
        await b.enqueue('any');
      },
    ];
    for (const [i, prepare] of ways.entries()) {
      await prepare();
      const { seq, run } = await b.take(['own', 'queued', 'any'][i] ?? '');
      const ending = { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 1 } as const;
      assert.equal((await b.turn({ ended: [{ seq, run, ending }] })).hasEndings, true);
      await hookJobs(b);
      assert.equal((await b.turn()).hasEndings, false);
    }
  });

  test('a hook runs once per result, however often the list is processed', async (t) => {
    const b = await bench(t);
    await b.enqueue(hooked('a'));
    await b.run('a', 'completed');
    const stores = [b.store, await b.open(), await b.open()];
    await Promise.all(stores.map((store) => store.dependencies.advance(100)));
    assert.deepEqual(eventsOf(await hookJobs(b)), ['a success']);
    await b.store.retry(['a'], FINAL_STATES);
    await b.run('a', 'failed');
    const deliveries = (await hookJobs(b)).map(({ env }) => env.QUEUECTL_HOOK_DELIVERY);
    assert.deepEqual(deliveries, ['a:success:1', 'a:failure:2', 'a:dead:2']);
  });

  test('dependents that are updated in batches do not run the hooks of their parent again', async (t) => {
    const b = await bench(t);
    await b.enqueue(hooked('a'));
    const after = { kind: 'job', on: 'a', rule: 'success' } as const;
    await b.store.enqueue(Array.from({ length: 7 }, (_, i) => newJob(`child${i}`, { dependsOn: [after] })));
    await b.run('a', 'completed');
    while ((await b.store.dependencies.advance(2)).more);
    assert.deepEqual(eventsOf(await hookJobs(b)), ['a success']);
    assert.equal((await b.all()).filter(({ state }) => state === 'blocked').length, 0);
  });

  test('a job that is deleted before its result was processed still runs its hooks', async (t) => {
    const b = await bench(t);
    await b.enqueue(hooked('a'), hooked('b'));
    await b.run('a', 'completed');
    await b.run('b', 'failed');
    await b.store.remove(['a']);
    await b.store.prune({ states: ['dead'] }, 100);
    assert.deepEqual(eventsOf(await hookJobs(b)), ['a success', 'b failure', 'b dead']);
    assert.deepEqual(await b.store.check(), []);
  });

  const revivals: [string, (b: Bench, id: string) => Promise<unknown>][] = [
    ['a retry', (b, id) => b.store.retry([id], FINAL_STATES)],
    ['a bulk retry', (b, id) => b.store.changeSome([id], {}, { kind: 'retry' })],
    ['a rerun', (b, id) => b.store.rerun({ retry: [id], block: [], release: [] })],
    ['a rerun that blocks it', (b, id) => b.store.rerun({ retry: ['parent'], block: [id], release: [] })],
  ];
  for (const [name, revive] of revivals)
    test(`${name} keeps the hooks of a result that was not processed yet`, async (t) => {
      const b = await bench(t);
      const dependsOn = [{ kind: 'job', on: 'parent', rule: 'success' }] as const;
      await b.enqueue('parent');
      await b.run('parent', 'completed');
      await b.enqueue(hooked('a', { group: 'g', groupHooks: { on_dead: 'echo group' }, dependsOn }));
      await b.run('a', 'failed');
      await revive(b, 'a');
      assert.deepEqual(eventsOf(await hookJobs(b)).sort(), ['a dead', 'a failure', 'group:g dead']);
      if ((await b.job('parent')).state !== 'completed') await b.run('parent', 'completed');
      await hookJobs(b);
      await b.run('a', 'completed');
      const hooks = (await hookJobs(b)).filter(({ hookOf }) => hookOf === 'a');
      assert.deepEqual(
        hooks.map(({ env }) => env.QUEUECTL_HOOK_DELIVERY),
        ['a:failure:1', 'a:dead:1', 'a:success:2'],
      );
      assert.deepEqual(await b.store.check(), []);
    });

  test('a group that is deleted before its result was processed still runs its hook', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g', groupHooks: { on_success: 'echo group' } }));
    await b.run('a', 'completed');
    await b.store.prune({ states: ['completed'] }, 100);
    assert.deepEqual(eventsOf(await hookJobs(b)), ['group:g success']);
  });

  test('the hooks of the job, its queue and all queues add up, and equal hooks run once', async (t) => {
    const b = await bench(t);
    await b.store.hooks.setForQueue('mail', { on_dead: 'echo mail' });
    await b.store.saveSetting('on_dead', 'echo all');
    await b.enqueue(newJob('a', { queue: 'mail', maxRetries: 0, hooks: { on_dead: 'echo own' } }));
    await b.enqueue(newJob('b', { queue: 'other', maxRetries: 0, hooks: { on_dead: 'echo all' } }));
    await b.run('a', 'failed');
    await b.run('b', 'failed');
    assert.deepEqual(await commandsOf(b), ['echo own', 'echo mail', 'echo all', 'echo all']);
    await b.store.saveSetting('on_dead', undefined);
    await b.store.hooks.setForQueue('mail', {});
    assert.deepEqual(await b.store.hooks.ofQueue('mail'), {});
    await b.enqueue(newJob('c', { queue: 'mail', maxRetries: 0 }));
    await b.run('c', 'failed');
    assert.equal((await hookJobs(b)).length, 4);
  });

  test('the result of a hook runs no hook', async (t) => {
    const b = await bench(t);
    for (const name of ['on_success', 'on_failure', 'on_dead']) await b.store.saveSetting(name, `echo ${name} of all`);
    await b.store.hooks.setForQueue('default', ALL_HOOKS);
    await b.enqueue(newJob('a', { maxRetries: 0 }), newJob('b', { maxRetries: 0 }));
    await b.run('a', 'completed');
    await b.run('b', 'completed');
    const [first, second, third, fourth, ...rest] = await hookJobs(b);
    assert.deepEqual(rest, []);
    await b.run(first?.id ?? '', 'completed');
    for (let i = 0; i < 4; i++) {
      await b.run(second?.id ?? '', 'failed');
      b.later(100_000);
      await b.turn();
    }
    await b.store.cancel([third?.id ?? '']);
    assert.equal((await b.job(second?.id ?? '')).state, 'dead');
    assert.equal((await hookJobs(b)).length, 4);
    assert.deepEqual(fourth?.hooks, {});
  });

  test('a hook is a job with the queue, priority, environment and directory of its job', async (t) => {
    const b = await bench(t);
    await b.store.saveSetting('max_retries', 7);
    const job = hooked('a', { queue: 'mail', priority: 5, cwd: '/tmp', env: { KEY: 'value' } });
    await b.store.enqueue([job], newEnvironment('{"PATH":"/bin"}'));
    b.later(1000);
    await b.run('a', 'completed');
    const [hook] = await hookJobs(b);
    assert.ok(hook);
    const { queue, priority, cwd, maxRetries, command, state, group, createdAt } = hook;
    assert.deepEqual(
      { queue, priority, cwd, maxRetries, command, state, group, createdAt },
      {
        queue: 'mail',
        priority: 5,
        cwd: '/tmp',
        maxRetries: 7,
        command: 'echo good',
        state: 'pending',
        group: null,
        createdAt: T0 + 1000,
      },
    );
    assert.equal(hook.env.KEY, 'value');
    const told = JSON.parse(hook.env.QUEUECTL_HOOK_JOB ?? '');
    assert.deepEqual([told.id, told.state, told.env], ['a', 'completed', { KEY: '***' }]);
    assert.deepEqual({ ...(await b.store.environments.ofJob(hook.id)) }, { PATH: '/bin' });
    assert.equal((await b.take(hook.id)).job.id, hook.id);
  });

  test('a webhook is delivered by a job without the environment and directory of the job', async (t) => {
    const b = await bench(t);
    const hooks = { on_dead: 'https://example.com/hook' };
    const job = newJob('a', { hooks, maxRetries: 0, cwd: '/tmp', env: { KEY: 'value' } });
    await b.store.enqueue([job], newEnvironment('{"PATH":"/bin"}'));
    await b.run('a', 'failed');
    const [hook] = await hookJobs(b);
    assert.deepEqual(hook?.command, ['webhook', 'POST', 'https://example.com/hook']);
    assert.deepEqual([hook?.cwd, hook?.env.KEY], [null, undefined]);
    assert.equal(await b.store.environments.ofJob(hook?.id ?? ''), null);
    const body = JSON.parse(hook?.env.QUEUECTL_HOOK_BODY ?? '');
    assert.deepEqual([body.event, body.delivery, body.database, body.job.id], ['dead', 'a:dead:1', b.store.name, 'a']);
  });

  test('the hooks of a group run once, when all its jobs have finished', async (t) => {
    const b = await bench(t);
    const member = (id: string): NewJob => newJob(id, { group: 'g', maxRetries: 0 });
    await b.enqueue({ ...member('a'), groupHooks: ALL_HOOKS }, member('b'), member('c'));
    assert.deepEqual(await b.store.hooks.ofGroup('g'), ALL_HOOKS);
    await b.run('a', 'completed');
    assert.deepEqual(await hookJobs(b), []);
    const [second, third] = [await b.take('b'), await b.take('c')];
    await b.end(second, 'failed');
    await b.end(third, 'completed');
    assert.deepEqual(eventsOf(await hookJobs(b)), ['group:g failure', 'group:g dead']);
    const told = JSON.parse((await hookJobs(b))[0]?.env.QUEUECTL_HOOK_JOB ?? '');
    assert.deepEqual([told.name, told.jobs.completed, told.jobs.dead], ['g', 2, 1]);
    await b.store.prune({ states: ['completed'] }, 100);
    assert.equal((await hookJobs(b)).length, 2, 'removing what has ended is no end');
    await b.store.retry(['b'], FINAL_STATES);
    await b.run('b', 'completed');
    assert.deepEqual(eventsOf(await hookJobs(b)).slice(2), ['group:g success']);
  });

  test('a group whose last unfinished job is deleted has finished', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }), newJob('b', { group: 'g' }));
    assert.equal(await b.store.hooks.setForGroup('g', ALL_HOOKS), true);
    assert.equal(await b.store.hooks.setForGroup('other', ALL_HOOKS), false);
    await b.run('a', 'completed');
    await b.store.remove(['b']);
    assert.deepEqual(eventsOf(await hookJobs(b)), ['group:g success']);
  });

  test('an unreadable hook list runs nothing', async (t) => {
    const b = await bench(t);
    await b.store.saveSetting('on_success', 17);
    await b.enqueue('a');
    await b.run('a', 'completed');
    assert.deepEqual(await hookJobs(b), []);
  });
}
