// Limits and pauses: kept exactly, whoever claims, and by nothing but the states of jobs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY_QUEUE } from '../../src/job/flow/concurrency.ts';
import type { NewJob } from '../../src/job/job.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rescue } from '../support/workers.ts';
import { type Bench, idsOf, type MakeBench, policy } from './bench.ts';

const keyed = (id: string, more: Partial<NewJob> = {}): NewJob => newJob(id, { key: 'k', ...more });

const grouped = (id: string, groupConcurrency: number, more: Partial<NewJob> = {}): NewJob =>
  newJob(id, { group: 'g', groupConcurrency, ...more });

/** Turns until nothing more is claimed. */
async function claimAll(b: Bench, want = 10, workerId = 'w1'): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { claimed, more } = await b.turn({ want: want - ids.length, slots: want }, workerId);
    ids.push(...idsOf(claimed));
    if (claimed.length === 0 && !more) return ids;
  }
}

/** Ends what runs under this id. */
async function complete(b: Bench, id: string, workerId = 'w1'): Promise<void> {
  const lease = (await b.store.runningOn(workerId)).find(({ jobId }) => jobId === id);
  assert.ok(lease, `${id} runs on ${workerId}`);
  await b.end(lease, 'completed');
}

export function limiting(bench: MakeBench): void {
  test('a job that needs more memory than is left waits, and smaller jobs run', async (t) => {
    const b = await bench(t);
    const needs = (id: string, memoryBytes: number) => newJob(id, { confinement: { limits: { memoryBytes } } });
    await b.enqueue(needs('too much', 200), needs('large', 80), needs('small', 30), 'none');
    const { claimed } = await b.turn({ want: 4, memory: { freeBytes: 100, bytes: 100 } });
    assert.deepEqual(idsOf(claimed), ['large', 'none']);
    const later = await b.turn({ want: 4, memory: { freeBytes: 20, bytes: 100 } });
    assert.deepEqual(later.claimed, []);
    const free = await b.turn({ want: 4, memory: { freeBytes: 100, bytes: 100 } });
    assert.deepEqual(idsOf(free.claimed), ['small'], 'and one that no worker can give so much is left');
  });

  test('the memory of a queue is reserved for each of its jobs, unless a job asks for less', async (t) => {
    const b = await bench(t);
    const own = newJob('own', { queue: 'big', confinement: { limits: { memoryBytes: 10 } } });
    await b.enqueue(newJob('a', { queue: 'big' }), newJob('b', { queue: 'big' }), own, 'free');
    const memory = { freeBytes: 100, bytes: 100, ofQueues: { big: 80 } };
    assert.deepEqual(idsOf((await b.turn({ want: 4, memory })).claimed), ['a', 'own', 'free']);
    const less = { ...memory, freeBytes: 10 };
    assert.deepEqual((await b.turn({ want: 4, memory: less })).claimed, []);
    assert.deepEqual(idsOf((await b.turn({ want: 4, memory })).claimed), ['b']);
  });

  test('any number of jobs too large for a worker does not block other jobs of their queue', async (t) => {
    const b = await bench(t);
    const large = Array.from({ length: 150 }, (_, i) =>
      newJob(`large${i}`, i % 2 ? { weight: 50 } : { confinement: { limits: { memoryBytes: 900 } } }),
    );
    await b.enqueue(...large, 'small');
    const turn = { want: 4, slots: 4, memory: { freeBytes: 100, bytes: 100 } };
    const ids: string[] = [];
    for (let more = true; more; ) {
      const result = await b.turn(turn);
      ids.push(...idsOf(result.claimed));
      more = result.more;
    }
    assert.deepEqual(ids, ['small']);
    await b.worker('w2');
    const bigger = { want: 100, slots: 100, memory: { freeBytes: 2000, bytes: 2000 } };
    const found = idsOf((await b.turn(bigger, 'w2')).claimed);
    assert.deepEqual(found, ['large0', 'large1', 'large2'], 'as many as fit, in their order');
  });

  test('any number of jobs that need more memory than is left does not block other jobs of their queue', async (t) => {
    const b = await bench(t);
    const needing = Array.from({ length: 150 }, (_, i) =>
      newJob(`needs 60 ${i}`, { confinement: { limits: { memoryBytes: 60 } } }),
    );
    await b.enqueue(...needing, 'small', newJob('needs 40', { confinement: { limits: { memoryBytes: 40 } } }));
    const left = (freeBytes: number) => ({ want: 4, slots: 4, memory: { freeBytes, bytes: 100 } });
    const ids: string[] = [];
    for (let more = true, freeBytes = 50; more; ) {
      const result = await b.turn(left(freeBytes));
      ids.push(...idsOf(result.claimed));
      if (ids.includes('needs 40')) freeBytes = 10;
      more = result.more;
    }
    assert.deepEqual(ids, ['small', 'needs 40']);
    assert.deepEqual((await b.turn(left(10))).claimed, []);
    assert.deepEqual(idsOf((await b.turn(left(100))).claimed), ['needs 60 0'], 'the first, once it fits');
  });

  test('jobs that need more memory than is left stay in line if no job is behind them', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { confinement: { limits: { memoryBytes: 60 } } }));
    await b.turn({ want: 4, slots: 4, memory: { freeBytes: 50, bytes: 100 } });
    assert.equal((await b.store.waits.ofJob('a'))?.line?.ahead, 0);
  });

  test('a job that is too large for a worker holds no slot of its key', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('large', { weight: 5 }), keyed('light'));
    assert.deepEqual(await claimAll(b, 2), ['light']);
    await b.worker('w2');
    const busy = await b.turn({ want: 5, slots: 5 }, 'w2');
    assert.deepEqual([busy.claimed, busy.more], [[], false], 'the key is in use');
    await complete(b, 'light');
    assert.deepEqual(await claimAll(b, 5, 'w2'), ['large']);
  });

  test('jobs that were too large are checked again after settings may have changed', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { queue: 'big' }));
    const memory = { freeBytes: 100, bytes: 100 };
    assert.deepEqual((await b.turn({ want: 1, memory: { ...memory, ofQueues: { big: 500 } } })).claimed, []);
    assert.deepEqual(await b.store.waits.recheckSizes(0), { found: 1, next: 0 });
    assert.deepEqual(idsOf((await b.turn({ want: 1, memory })).claimed), ['a']);
    assert.deepEqual(await b.store.waits.recheckSizes(0), { found: 0, next: 0 });
  });

  test('jobs that were too large are all checked again, a bounded number at a time', async (t) => {
    const b = await bench(t);
    const large = (n: number) => Array.from({ length: n }, (_, i) => newJob(`large${n}-${i}`, { weight: 50 }));
    await b.enqueue(...large(1400));
    const aside = async (): Promise<void> => {
      while ((await b.turn({ want: 400, slots: 4 })).more) {
        // each turn sets some of them aside
      }
    };
    await aside();
    const { found, next } = await b.store.waits.recheckSizes(0);
    assert.equal(found, 1000);
    await aside();
    assert.deepEqual(await b.store.waits.recheckSizes(next), { found: 400, next: 0 });
  });

  test('a ready job that moves to another queue frees the slot of its key', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a'), keyed('b'));
    await b.turn({ want: 0 }); // gives the slot to a
    await b.store.change(['a'], { kind: 'edit', edit: { queue: 'unserved' } });
    const { claimed } = await b.turn({ want: 5, slots: 5, queues: ['default'] });
    assert.deepEqual(idsOf(claimed), ['b']);
  });

  test('jobs with one key and different limits follow the strictest limit', async (t) => {
    const b = await bench(t);
    const limited = (id: string, keyConcurrency: number) => keyed(id, { keyConcurrency });
    await b.enqueue(limited('a of 3', 3), limited('b of 1', 1), limited('c of 3', 3));
    assert.deepEqual(await claimAll(b), ['a of 3', 'c of 3']);
    await b.enqueue(limited('d of 3', 3));
    assert.deepEqual(await claimAll(b), [], 'later jobs do not pass one that waits');
    await complete(b, 'a of 3');
    assert.deepEqual(await claimAll(b), []);
    await complete(b, 'c of 3');
    assert.deepEqual(await claimAll(b), ['b of 1'], 'nothing runs next to it');
    await complete(b, 'b of 1');
    assert.deepEqual(await claimAll(b), ['d of 3']);
  });

  test('a free slot that no turn would assign is found by the next sweep', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a'), keyed('b'));
    await b.turn({ want: 0 }); // gives the slot to a
    assert.deepEqual(await b.store.waits.recheck(''), { found: 0, next: null });
    await b.store.cancel(['a']);
    await b.forgetFreedSlots();
    assert.deepEqual((await b.turn({ want: 5, slots: 5 })).claimed, []);
    assert.deepEqual(await b.store.waits.recheck(''), { found: 1, next: null });
    assert.deepEqual(await claimAll(b), ['b']);
  });

  test('a free slot is found among very many keys, a bounded number at a time', async (t) => {
    const b = await bench(t);
    const keys = Array.from({ length: 1100 }, (_, i) => `k${String(i).padStart(4, '0')}`);
    await b.enqueue(...keys.flatMap((key) => [newJob(`a-${key}`, { key }), newJob(`b-${key}`, { key })]));
    while ((await b.turn({ want: 0 })).more) {
      // each turn gives away some slots
    }
    await b.store.cancel(['a-k0007', 'a-k1050']);
    await b.forgetFreedSlots();
    const first = await b.store.waits.recheck('');
    assert.equal(first.found, 1);
    assert.ok(first.next);
    assert.deepEqual(await b.store.waits.recheck(first.next), { found: 1, next: null });
    assert.deepEqual(await b.store.waits.recheck(''), { ...first, found: 1 }, 'until a turn has looked');
    await b.turn({ want: 0 });
    assert.equal((await b.store.waits.recheck('')).found, 0);
  });

  test('a free slot is found in each queue with waiting jobs of a key or a group', async (t) => {
    const b = await bench(t);
    await b.enqueue(
      ...['q1', 'q2'].flatMap((queue) => [
        newJob(`key-${queue}-1`, { key: 'k', queue }),
        newJob(`key-${queue}-2`, { key: 'k', queue }),
        newJob(`group-${queue}-1`, { group: 'g', groupConcurrency: 1, queue }),
        newJob(`group-${queue}-2`, { group: 'g', groupConcurrency: 1, queue }),
      ]),
    );
    const { claimed } = await b.turn({ want: 5, slots: 5, queues: ['q1'] });
    assert.deepEqual(idsOf(claimed), ['key-q1-1', 'group-q1-1']);
    for (const one of claimed) await b.end(one, 'completed');
    await b.turn({ want: 0 }); // gives a slot in each queue away
    assert.equal((await b.store.waits.recheck('')).found, 0);
    await b.store.cancel(['key-q2-1', 'group-q2-1']);
    await b.forgetFreedSlots();
    assert.deepEqual(await b.store.waits.recheck(''), { found: 2, next: null });
  });

  test('a worker for one job runs it before others of its key that only wait', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a'), keyed('b'));
    assert.deepEqual(idsOf((await b.turn({ want: 1, only: 'b' })).claimed), ['b']);
    const busy = await b.turn({ want: 1, only: 'a' });
    assert.deepEqual([busy.claimed, busy.more], [[], false], 'and not while one runs');
  });

  test('one job of a key runs at a time, in order of priority', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a'), keyed('b'), keyed('c', { priority: 5 }), 'free');
    assert.deepEqual(await claimAll(b), ['c', 'free']);
    assert.deepEqual(await claimAll(b), []);
    await complete(b, 'c');
    assert.deepEqual(await claimAll(b), ['a']);
    await complete(b, 'a');
    assert.deepEqual(await claimAll(b), ['b']);
  });

  test('as many jobs of a key run as its limit allows', async (t) => {
    const b = await bench(t);
    await b.enqueue(...['a', 'b', 'c', 'd'].map((id) => keyed(id, { keyConcurrency: 3 })));
    assert.deepEqual(await claimAll(b), ['a', 'b', 'c']);
    await complete(b, 'b');
    assert.deepEqual(await claimAll(b), ['d']);
  });

  test('a slot is free again whatever finished its job', async (t) => {
    const b = await bench(t);
    await b.enqueue(...['a', 'b', 'c', 'd'].map((id) => keyed(id, { maxRetries: 0 })));
    await b.worker('w2');
    assert.deepEqual(await claimAll(b, 1, 'w2'), ['a']);
    await rescue(b.store, 'w2', policy);
    assert.deepEqual(await claimAll(b), ['a']); // it goes first again
    await b.end((await b.store.runningOn('w1'))[0] ?? assert.fail(), 'failed');
    assert.deepEqual(await claimAll(b), ['b']);
    await b.store.cancel(['b']);
    await b.end((await b.store.runningOn('w1'))[0] ?? assert.fail(), 'cancelled');
    assert.deepEqual(await claimAll(b), ['c']);
  });

  test('a ready job that is deleted or cancelled frees its slot for the next', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a'), keyed('b'), keyed('c'), keyed('d'));
    await b.turn(); // lets the first one in, and claims nothing
    await b.store.remove(['a']);
    await b.turn();
    await b.store.cancel(['b']);
    assert.deepEqual(await claimAll(b), ['c']);
  });

  test('a failed job waits for its backoff without holding its slot', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a', { priority: 1 }), keyed('b'));
    assert.deepEqual(await claimAll(b), ['a']);
    await b.end((await b.store.runningOn('w1'))[0] ?? assert.fail(), 'failed');
    assert.deepEqual(await claimAll(b), ['b']);
    b.later(2000);
    assert.deepEqual(await claimAll(b), []);
    await complete(b, 'b');
    assert.deepEqual(await claimAll(b), ['a']);
  });

  test('as many jobs of a group run at once as its limit allows', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('before', { group: 'g' }), ...['a', 'b', 'c'].map((id) => grouped(id, 2)), 'free');
    assert.deepEqual((await claimAll(b)).sort(), ['a', 'before', 'free'].sort());
    await complete(b, 'a');
    assert.deepEqual(await claimAll(b), ['b']);
    await b.enqueue(grouped('d', 4));
    assert.deepEqual((await claimAll(b)).sort(), ['c', 'd']);
  });

  test('a job with a key and a limited group respects both limits', async (t) => {
    const b = await bench(t);
    await b.enqueue(
      grouped('a', 2, { key: 'k' }),
      grouped('b', 2, { key: 'k' }),
      grouped('c', 2),
      grouped('d', 2),
      keyed('e'),
    );
    assert.deepEqual((await claimAll(b)).sort(), ['a', 'c']);
    await complete(b, 'a');
    assert.deepEqual(await claimAll(b), ['b']);
    await complete(b, 'b');
    assert.deepEqual((await claimAll(b)).sort(), ['d', 'e']);
    assert.deepEqual(await b.store.check(), []);
  });

  test('a limited job in a queue without workers holds no slot from another queue', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('elsewhere', { queue: 'quiet' }), keyed('here'));
    const { claimed } = await b.turn({ want: 5, queues: ['default'] });
    assert.deepEqual(idsOf(claimed), ['here']);
  });

  test('an urgent job runs before one that has a slot but has not started', async (t) => {
    const b = await bench(t);
    await b.enqueue(keyed('a'));
    await b.turn();
    await b.enqueue(keyed('urgent', { priority: 9 }));
    assert.deepEqual(await claimAll(b), ['urgent']);
  });

  test('very many jobs of one key block no other jobs', async (t) => {
    const b = await bench(t);
    await b.store.enqueue(Array.from({ length: 3000 }, (_, i) => keyed(`k${i}`)));
    await b.enqueue('free');
    assert.deepEqual(await claimAll(b, 4), ['k0', 'free']);
  });

  test('very many jobs of one key that become due at once block no other jobs', async (t) => {
    const b = await bench(t);
    await b.store.enqueue(Array.from({ length: 1500 }, (_, i) => keyed(`k${i}`, { runAt: T0 + 1000 })));
    await b.enqueue(newJob('free', { runAt: T0 + 2000 }));
    b.later(2000);
    assert.deepEqual((await claimAll(b, 4)).sort(), ['free', 'k0']);
  });

  test('a paused queue starts no job until it is resumed', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { queue: 'mail' }), 'b');
    await b.store.queues.limit('mail', { pausedAt: b.now });
    assert.deepEqual(await claimAll(b), ['b']);
    assert.deepEqual(await claimAll(b), []);
    await b.store.queues.limit('mail', { pausedAt: null });
    assert.deepEqual(await claimAll(b), ['a']);
    assert.deepEqual(await b.store.queues.limits(), []);
  });

  test('all queues can be paused, whatever a worker serves', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.store.queues.limit(EVERY_QUEUE, { pausedAt: b.now });
    assert.deepEqual(await claimAll(b), []);
    assert.deepEqual(idsOf(await b.claim(1, { queues: ['default'] })), []);
    assert.deepEqual(idsOf(await b.claim(1, { only: 'a' })), []);
    await b.store.queues.limit(EVERY_QUEUE, { pausedAt: null });
    assert.deepEqual(await claimAll(b), ['a']);
  });

  test('as many jobs of a limited queue run as its limit allows, over all workers', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue(...['a', 'b', 'c', 'd'].map((id) => newJob(id, { queue: 'mail' })), 'free');
    await b.store.queues.limit('mail', { concurrency: 2 });
    assert.deepEqual(idsOf(await b.claim(1, { queues: ['mail'] }, 'w2')), ['a']);
    assert.deepEqual(await claimAll(b), ['b', 'free']);
    assert.deepEqual(idsOf(await b.claim(5, { queues: ['mail'] }, 'w2')), []);
    const running = await b.store.runningOn('w1');
    const { seq, run } = running.find(({ jobId }) => jobId === 'b') ?? assert.fail();
    const { makesRoom } = await b.turn({ ended: [{ seq, run, ending: COMPLETED }] });
    assert.equal(makesRoom, true, 'others are to be woken');
    assert.deepEqual(idsOf(await b.claim(5, { queues: ['mail'] }, 'w2')), ['c']);
  });

  test('a rate lets one job start per interval, and a turn reports when', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c');
    await b.store.queues.limit('default', { ratePerSecond: 2 });
    const { claimed, nextDueAt } = await b.turn({ want: 5 });
    assert.deepEqual([idsOf(claimed), nextDueAt], [['a'], T0 + 500]);
    b.later(499);
    assert.deepEqual(await claimAll(b), []);
    b.later(1);
    assert.deepEqual(await claimAll(b), ['b']);
    b.later(5000);
    assert.deepEqual(await claimAll(b), ['c'], 'a quiet time saves up no more than a burst');
  });

  test('a burst may start at once, then the rate applies', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c', 'd', 'e');
    await b.store.queues.limit('default', { ratePerSecond: 1, burst: 3 });
    assert.deepEqual(await claimAll(b), ['a', 'b', 'c']);
    b.later(1000);
    assert.deepEqual(await claimAll(b), ['d']);
    b.later(999);
    assert.deepEqual(await claimAll(b), []);
  });

  test('a heavy job waits until its worker has room, and lighter jobs behind it wait too', async (t) => {
    const b = await bench(t);
    await b.enqueue('light', newJob('heavy', { weight: 3 }), 'later');
    assert.deepEqual(idsOf((await b.turn({ want: 3, slots: 3 })).claimed), ['light']);
    assert.deepEqual(idsOf((await b.turn({ want: 2, slots: 3 })).claimed), []);
    await complete(b, 'light');
    const [heavy] = (await b.turn({ want: 3, slots: 3 })).claimed;
    assert.deepEqual([heavy?.job.id, heavy?.weight], ['heavy', 3]);
  });

  test('a job too heavy for a worker is left to others and blocks no job', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('heavy', { weight: 8 }), 'light');
    assert.deepEqual(idsOf((await b.turn({ want: 4, slots: 4 })).claimed), ['light']);
    assert.deepEqual(idsOf((await b.turn({ want: 8, slots: 8 })).claimed), ['heavy']);
  });

  test('queue limits are stored and move with the queue', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.store.queues.limit('mail', { concurrency: 2, ratePerSecond: 0.5, burst: 4 });
    await from.store.queues.limit('mail', { pausedAt: T0 });
    const [limit] = await from.store.queues.limits();
    assert.deepEqual(limit, {
      queue: 'mail',
      pausedAt: T0,
      drainingAt: null,
      concurrency: 2,
      ratePerSecond: 0.5,
      burst: 4,
      notBefore: null,
    });
    await to.store.copyTablesIn(await from.store.copyTablesOut());
    assert.deepEqual(await to.store.queues.limits(), [limit]);
  });

  test('a draining queue is named while it is draining', async (t) => {
    const { queues } = (await bench(t)).store;
    await queues.limit('mail', { drainingAt: T0, pausedAt: T0 });
    await queues.limit('other', { pausedAt: T0 });
    assert.deepEqual(await queues.draining(), ['mail']);
    await queues.limit('mail', { drainingAt: null });
    assert.deepEqual(await queues.draining(), []);
  });

  test('concurrent claims never exceed a shared limit', async (t) => {
    const b = await bench(t);
    await b.store.queues.limit('mail', { concurrency: 3 });
    await b.store.enqueue([
      ...Array.from({ length: 40 }, (_, i) => keyed(`k${i}`, { keyConcurrency: 2 })),
      ...Array.from({ length: 40 }, (_, i) => newJob(`m${i}`, { queue: 'mail' })),
      ...Array.from({ length: 40 }, (_, i) => grouped(`g${i}`, 4)),
    ]);
    const workers = ['a', 'b', 'c', 'd'].map((name) => `worker-${name}`);
    const stores = await Promise.all(
      workers.map(async (id) => {
        await b.worker(id);
        return { id, store: await b.open() };
      }),
    );
    let done = 0;
    for (let round = 0; done < 120; round++) {
      assert.ok(round < 200, `stuck at ${done} of 120`);
      await Promise.all(stores.map(({ id, store }) => b.turn({ want: 5, slots: 5 }, id, store)));
      const running = (await Promise.all(workers.map((id) => b.store.runningOn(id)))).flat();
      const of = (letter: string): number => running.filter(({ jobId }) => jobId.startsWith(letter)).length;
      assert.ok(of('k') <= 2 && of('m') <= 3 && of('g') <= 4, `${of('k')} ${of('m')} ${of('g')}`);
      for (const lease of running.filter((_, i) => (i + round) % 2 === 0)) {
        await b.turn({ ended: [{ seq: lease.seq, run: lease.run, ending: COMPLETED }] }, lease.workerId);
        done++;
      }
    }
    assert.deepEqual(await b.store.check(), []);
  });
}

const COMPLETED = { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 1 } as const;
