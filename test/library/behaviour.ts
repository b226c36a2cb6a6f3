// What the library does, the same wherever the queue is: given to every implementation of its interface.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { QueueError } from '../../src/errors/errors.ts';
import { until } from '../support/until.ts';
import type { LocalQueue, OutputChunk, Queue, QueueEvent } from '../../src/library/index.ts';

export interface Opened {
  readonly queue: Queue;
  /** Somebody works on it meanwhile, until the test has ended. */
  work(): Promise<void>;
}

/** A queue of its own for each test, closed when that has ended. */
export type Open = (t: TestContext) => Promise<Opened>;

export const workOn = (t: TestContext, queue: LocalQueue) => async (): Promise<void> => {
  const worker = await queue.work({ concurrency: 4 });
  t.after(() => worker.stop({ force: true }));
};

export const isError =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof QueueError && error.code === code;

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The first that is wanted; leaving the loop ends the stream. */
export async function first<T>(items: AsyncIterable<T>, isWanted: (item: T) => boolean): Promise<T> {
  for await (const item of items) if (isWanted(item)) return item;
  throw new Error('the stream ended before it came');
}

const nonEmpty = async <T>(items: Promise<T[]>): Promise<T[] | null> => {
  const found = await items;
  return found.length > 0 ? found : null;
};

export function testLibrary(where: string, open: Open): void {
  const it = (what: string, does: (opened: Opened) => Promise<void>): void => {
    test(`${what} (${where})`, async (t) => does(await open(t)));
  };

  it('a queue is exported and pruned', async ({ queue }) => {
    await queue.enqueue([
      { id: 'p1', command: 'true' },
      { id: 'p2', command: 'true' },
    ]);
    const lines = await collected(queue.export({ history: true }));
    assert.equal(JSON.parse(lines.at(-1) ?? '').end.jobs, 2);
    await queue.jobs.cancel('p1');
    assert.equal(await queue.jobs.prune({ olderThanSeconds: 3600 }), 0);
    assert.equal(await queue.jobs.prune({ dryRun: true }), 1);
    assert.equal(await queue.jobs.prune(), 1);
    assert.equal((await queue.jobs.count()).count, 1);
    await assert.rejects(queue.workers.stop('nobody'), isError('worker_not_found'));
  });

  it('a job is enqueued, run and waited for', async ({ queue, work }) => {
    const job = await queue.enqueue({ command: 'echo hello', tags: ['greeting'], priority: 3 });
    assert.deepEqual([job.state, job.priority, job.tags], ['pending', 3, ['greeting']]);
    await work();
    const done = await queue.jobs.wait(job.id, { timeoutSeconds: 60 });
    assert.deepEqual([done.id, done.state, done.exit_code], [job.id, 'completed', 0]);
    assert.equal(await queue.jobs.output(job.id), 'hello\n');
    const { history } = await queue.jobs.get(job.id);
    assert.deepEqual(
      history.map(({ number, outcome }) => [number, outcome]),
      [[1, 'completed']],
    );
  });

  it('several jobs are stored all or none', async ({ queue }) => {
    const jobs = await queue.enqueue([
      { id: 'a', command: 'true' },
      { id: 'b', command: ['true'] },
    ]);
    assert.deepEqual(
      jobs.map(({ id, command }) => [id, command]),
      [
        ['a', 'true'],
        ['b', ['true']],
      ],
    );
    const again = queue.enqueue([{ command: 'new' }, { id: 'a', command: 'taken' }]);
    await assert.rejects(again, isError('job_exists'));
    assert.deepEqual(await queue.jobs.count(), { count: 2, is_exact: true });
    assert.deepEqual(await queue.enqueue([]), []);
  });

  it('a failure is an error with its code, a message and a hint', async ({ queue }) => {
    const misspelt = { command: 'true', prioritty: 1 };
    await assert.rejects(queue.enqueue(misspelt), (error) => {
      assert.ok(error instanceof QueueError);
      assert.deepEqual(
        [error.code, error.message, error.hint, error.exitCode],
        ['invalid_job', "unknown field 'prioritty' in the job", "did you mean 'priority'?", 2],
      );
      return true;
    });
    await assert.rejects(queue.jobs.get('nobody'), isError('job_not_found'));
    await assert.rejects(queue.jobs.list('stat:dead'), isError('invalid_filter'));
    await assert.rejects(queue.schedules.get('nothing'), isError('schedule_not_found'));
    await assert.rejects(queue.groups.get('nothing'), isError('group_not_found'));
    assert.equal((await queue.jobs.count()).count, 0);
  });

  it('a key stands for one request, however often it is sent', async ({ queue }) => {
    const send = (command: string) => queue.enqueue({ command }, { idempotencyKey: 'once' });
    const [one, other] = [await send('true'), await send('true')];
    assert.equal(one.id, other.id);
    await assert.rejects(send('false'), isError('idempotency_key_reused'));
  });

  it('jobs are found by a filter, in pages or all at once', async ({ queue }) => {
    await queue.enqueue(Array.from({ length: 5 }, (_, i) => ({ id: `mail${i}`, command: 'x', queue: 'mail' })));
    await queue.enqueue({ command: 'other' });
    const page = await queue.jobs.list('queue:mail', { limit: 2, sort: 'created' });
    assert.deepEqual(
      page.jobs.map(({ id }) => id),
      ['mail0', 'mail1'],
    );
    assert.ok(page.next);
    const next = await queue.jobs.list('queue:mail', { limit: 2, sort: 'created', after: page.next });
    assert.deepEqual(
      next.jobs.map(({ id }) => id),
      ['mail2', 'mail3'],
    );
    const all = await collected(queue.jobs.all('queue:mail', { limit: 2 }));
    assert.deepEqual(
      all.map(({ id }) => id),
      ['mail4', 'mail3', 'mail2', 'mail1', 'mail0'],
    );
    assert.deepEqual(await queue.jobs.count('queue:mail'), { count: 5, is_exact: true });
  });

  it('a waiting job is held, released, edited, cancelled, retried and deleted', async ({ queue }) => {
    const { id } = await queue.enqueue({ command: 'true', delay_seconds: 3600 });
    assert.deepEqual([(await queue.jobs.hold(id, 'a reason')).held_reason], ['a reason']);
    assert.equal((await queue.jobs.release(id)).held, false);
    await assert.rejects(queue.jobs.release(id), isError('not_held'));
    const edited = await queue.jobs.edit(id, { priority: 7, timeout_seconds: 5 });
    assert.deepEqual([edited.priority, edited.timeout_seconds], [7, 5]);
    assert.equal((await queue.jobs.edit(id, { timeout_seconds: null })).timeout_seconds, null);
    const due = (await queue.jobs.runNow(id)).next_run_at ?? '';
    assert.ok(Date.parse(due) <= Date.now() + 60_000);
    assert.equal((await queue.jobs.cancel(id)).state, 'cancelled');
    assert.equal((await queue.jobs.retry(id)).state, 'pending');
    await queue.jobs.delete(id);
    await assert.rejects(queue.jobs.get(id), isError('job_not_found'));
  });

  it('output is followed as it is written, from before the start of the job until it has finished', async ({
    queue,
    work,
  }) => {
    const { id } = await queue.enqueue({ command: 'echo one; sleep 0.3; echo two' });
    const chunks = collected<OutputChunk>(queue.jobs.follow(id));
    await work();
    const told = await chunks;
    assert.equal(told.map(({ text }) => text).join(''), 'one\ntwo\n');
    assert.equal(told.at(-1)?.next, 8);
    assert.equal((await collected(queue.jobs.follow(id, { from: 4 }))).map(({ text }) => text).join(''), 'two\n');
  });

  it('a wait ends at its timeout', async ({ queue }) => {
    const { id } = await queue.enqueue({ command: 'true', delay_seconds: 3600 });
    await assert.rejects(queue.jobs.wait(id, { timeoutSeconds: 0.05 }), isError('wait_timeout'));
    const left = new AbortController();
    const waiting = queue.jobs.wait(id, { signal: left.signal });
    left.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  it('events report changes until the loop is left', async ({ queue }) => {
    const { id } = await queue.enqueue({ command: 'true', delay_seconds: 3600 });
    const seen: QueueEvent[] = [];
    const watching = first(queue.events(['stats', `job:${id}`]), (event) => {
      seen.push(event);
      if (event.type === 'job' && event.data.state === 'pending') void queue.jobs.cancel(id);
      return event.type === 'job' && event.data.state === 'cancelled';
    });
    const event = await watching;
    assert.equal(event.type, 'job');
    assert.ok(seen.some(({ type }) => type === 'stats'));
    await assert.rejects(
      first(queue.events(['nonsense' as 'stats']), () => true),
      isError('invalid_request'),
    );
  });

  it('schedules are added, paused, resumed, edited, run manually and deleted', async ({ queue }) => {
    const added = await queue.schedules.add({
      name: 'nightly',
      cron: '30 2 * * *',
      tz: 'UTC',
      overlap: 'skip',
      job: { command: 'make backup', queue: 'slow' },
    });
    assert.deepEqual([added.state, added.cron, added.overlap], ['active', '30 2 * * *', 'skip']);
    assert.equal(added.next.length, 5);
    assert.equal((await queue.schedules.pause('nightly')).state, 'paused');
    assert.equal((await queue.schedules.resume('nightly')).state, 'active');
    assert.equal((await queue.schedules.edit('nightly', { every: '1h' })).every_seconds, 3600);
    const job = await queue.schedules.run('nightly');
    assert.deepEqual([job.schedule, job.queue, job.command], ['nightly', 'slow', 'make backup']);
    const { ticks } = await queue.schedules.get('nightly');
    assert.deepEqual(
      ticks.map((tick) => [tick.reason, tick.job]),
      [['by_hand', job.id]],
    );
    assert.deepEqual(
      (await queue.schedules.list()).map(({ name }) => name),
      ['nightly'],
    );
    await queue.schedules.remove('nightly');
    assert.deepEqual(await queue.schedules.list(), []);
  });

  it('groups and queues are read and changed as a whole', async ({ queue }) => {
    await queue.enqueue([1, 2].map((n) => ({ command: `step ${n}`, group: 'build', queue: 'slow' })));
    assert.deepEqual(
      (await queue.groups.list()).map(({ name, total }) => [name, total]),
      [['build', 2]],
    );
    assert.equal((await queue.groups.cancel('build')).outcome, 'cancelled');
    await queue.groups.delete('build');
    await assert.rejects(queue.groups.get('build'), isError('group_not_found'));
    const limited = await queue.queues.limit('slow', { concurrency: 2, rate: '10/s' });
    assert.deepEqual([limited.concurrency, limited.rate_per_second], [2, 10]);
    assert.equal((await queue.queues.pause('slow')).paused, true);
    assert.equal((await queue.queues.resume('slow')).paused, false);
    assert.equal((await queue.queues.limit('slow', { rate: null })).rate_per_second, null);
    assert.equal((await queue.queues.drain('slow')).draining, true);
    await assert.rejects(queue.enqueue({ command: 'x', queue: 'slow' }), isError('queue_draining'));
  });

  it('the status counts jobs and workers', async ({ queue, work }) => {
    await queue.enqueue({ command: 'true', delay_seconds: 3600, queue: 'later' });
    await work();
    const [worker] = await until('a worker is there', () => nonEmpty(queue.workers.list()));
    assert.equal(worker?.concurrency, 4);
    const status = await queue.status('later');
    assert.deepEqual([status.pending, status.active_workers], [1, 1]);
  });

  it('closing ends its streams', async ({ queue }) => {
    const { id } = await queue.enqueue({ command: 'true', delay_seconds: 3600 });
    const events = queue.events([`job:${id}`])[Symbol.asyncIterator]();
    assert.equal((await events.next()).done, false);
    const next = events.next();
    await queue.close();
    assert.equal((await next).done, true);
  });
}
