// When chores run: each at its own time, one after another, whatever the others do.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Chore, Maintenance } from '../../src/maintenance/maintenance.ts';

/** A manual clock, and a log of runs and failures. */
function schedule(t: TestContext, ...chores: Chore[]) {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  const maintenance = new Maintenance(chores);
  const failures: string[] = [];
  const runDue = () => maintenance.runDue((error) => failures.push(error.message));
  /** Runs the due chores like a worker, this much later. */
  const after = async (ms: number): Promise<void> => {
    nowMs += ms;
    runDue();
    await maintenance.settled();
  };
  return { maintenance, failures, runDue, after };
}

class Counted implements Chore {
  runs = 0;
  everyMs: number;
  readonly name: string;

  constructor(name: string, everyMs: number) {
    this.name = name;
    this.everyMs = everyMs;
  }

  async runOnce(): Promise<number> {
    this.runs++;
    return 0;
  }
}

class Failing extends Counted {
  override async runOnce(): Promise<number> {
    await super.runOnce();
    throw new Error(`${this.name} does not work`);
  }
}

test('each chore runs immediately, and then at its own interval', async (t) => {
  const [often, seldom] = [new Counted('often', 1000), new Counted('seldom', 3000)];
  const { after } = schedule(t, often, seldom);
  await after(0);
  assert.deepEqual([often.runs, seldom.runs], [1, 1]);
  await after(999);
  assert.deepEqual([often.runs, seldom.runs], [1, 1]);
  await after(1);
  assert.deepEqual([often.runs, seldom.runs], [2, 1]);
  await after(2000);
  assert.deepEqual([often.runs, seldom.runs], [3, 2]);
});

test('missed intervals are not made up for', async (t) => {
  const chore = new Counted('chore', 1000);
  const { after } = schedule(t, chore);
  await after(0);
  await after(60_000);
  await after(1);
  assert.equal(chore.runs, 2);
});

test('a chore that always fails does not delay the others', async (t) => {
  const [failing, other] = [new Failing('this one', 1000), new Counted('other', 1000)];
  const { after, failures } = schedule(t, failing, other);
  for (let i = 0; i < 3; i++) await after(1000);
  assert.deepEqual([failing.runs, other.runs], [3, 3]);
  assert.deepEqual(failures, Array(3).fill('this one does not work'));
});

test('a failed chore is retried at its next time, not before', async (t) => {
  const failing = new Failing('this one', 1000);
  const { after } = schedule(t, failing);
  await after(0);
  await after(500);
  assert.equal(failing.runs, 1);
  await after(500);
  assert.equal(failing.runs, 2);
});

test('a chore that throws synchronously is reported like one that rejects', async (t) => {
  const outright: Chore = {
    name: 'outright',
    everyMs: 1000,
    runOnce: () => {
      throw new Error('no');
    },
  };
  const other = new Counted('other', 1000);
  const { after, failures } = schedule(t, outright, other);
  await after(0);
  assert.deepEqual([failures, other.runs], [['no'], 1]);
});

test('a slow chore is not started again, and no other chore runs meanwhile', async (t) => {
  const gate = Promise.withResolvers<number>();
  const slow = new Counted('slow', 1000);
  slow.runOnce = async () => {
    slow.runs++;
    return gate.promise;
  };
  const other = new Counted('other', 500);
  const { maintenance, runDue, after } = schedule(t, slow, other);
  runDue();
  for (let i = 0; i < 5; i++) runDue();
  assert.deepEqual([slow.runs, other.runs], [1, 0]);
  gate.resolve(0);
  await maintenance.settled();
  assert.deepEqual([slow.runs, other.runs], [1, 1]);
  await after(1000);
  assert.deepEqual([slow.runs, other.runs], [2, 2]);
});

test('settled() waits for everything in progress', async (t) => {
  const gate = Promise.withResolvers<number>();
  const slow = new Counted('slow', 1000);
  slow.runOnce = () => gate.promise;
  const last = new Counted('last', 1000);
  const { maintenance, runDue } = schedule(t, slow, last);
  await maintenance.settled(); // nothing is running yet
  runDue();
  const settled = maintenance.settled().then(() => last.runs);
  gate.resolve(0);
  assert.equal(await settled, 1);
});

test('a chore may change its interval', async (t) => {
  const chore = new Counted('chore', 10_000);
  const { after } = schedule(t, chore);
  await after(0);
  await after(2000);
  assert.equal(chore.runs, 1);
  chore.everyMs = 1000;
  await after(0);
  assert.equal(chore.runs, 2);
  chore.everyMs = 60_000;
  await after(59_999);
  assert.equal(chore.runs, 2);
});

test('at its end the chore that is under way is finished, and no other is begun', async (t) => {
  const gate = Promise.withResolvers<void>();
  const [first, second] = [new Counted('first', 1000), new Counted('second', 1000)];
  const slow: Chore = {
    name: 'slow',
    everyMs: 1000,
    runOnce: async () => {
      await gate.promise;
      return first.runOnce();
    },
  };
  const { maintenance, runDue } = schedule(t, slow, second);
  runDue();
  const ended = maintenance.end();
  gate.resolve();
  await ended;
  runDue();
  await maintenance.settled();
  assert.deepEqual([first.runs, second.runs], [1, 0]);
});

test('an urgent chore does not wait for a chore that takes long', async (t) => {
  const gate = Promise.withResolvers<void>();
  const slow: Chore = { name: 'slow', everyMs: 1000, runOnce: () => gate.promise.then(() => 0) };
  const urgent = Object.assign(new Counted('urgent', 1000), { isUrgent: true });
  const { maintenance, runDue } = schedule(t, slow, urgent);
  runDue();
  assert.equal(urgent.runs, 1);
  gate.resolve();
  await maintenance.settled();
});
