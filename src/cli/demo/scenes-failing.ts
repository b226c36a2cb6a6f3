// Scenes: a job succeeds; one fails and is retried; one becomes dead and is retried manually.

import { duration } from '../render/kit/human.ts';
import { type AttemptSeen, expect, msBetween } from './expect.ts';
import type { Player } from './player.ts';

/** Two retries with growing delays take a few seconds. */
const BACKOFF_BASE = 1.5;

export async function success(player: Player): Promise<string> {
  await player.type('worker', 'start');
  await player.type('enqueue', '--id', 'hello', 'echo Hello, world');
  await player.type('wait', 'hello');
  const output = await player.type('logs', 'hello');
  const { state, attempts } = await player.job('hello');
  expect(state === 'completed' && attempts === 1, `hello is ${state} after ${attempts} attempts`);
  expect(/^Hello, world$/m.test(output), 'the output is missing from the log');
  return 'completed at the first attempt; output recorded';
}

export async function retries(player: Player): Promise<string> {
  await player.type('config', 'set', 'backoff_base', String(BACKOFF_BASE));
  await player.type('enqueue', '--id', 'flaky', 'test $QUEUECTL_ATTEMPT -ge 3');
  await player.type('wait', 'flaky');
  await player.type('show', 'flaky');
  const { state, history } = await player.job('flaky');
  const outcomes = history.map(({ outcome }) => outcome).join(', ');
  expect(state === 'completed' && outcomes === 'failed, failed, completed', `flaky is ${state}: ${outcomes}`);
  const [first = 0, second = 0] = pausesMs(history);
  expect(first >= atLeastMs(1) && second >= atLeastMs(2), `retried after ${first} ms and ${second} ms`);
  return `waited ${duration(first)}, then ${duration(second)}; the third attempt succeeded`;
}

export async function deadLetters(player: Player): Promise<string> {
  await player.type('enqueue', '--id', 'import', '--max-retries', '1', 'cat orders.csv');
  await player.typeFailing('wait', 'import');
  await player.type('dlq', 'list');
  const dead = await player.job('import');
  expect(dead.state === 'dead' && dead.attempts === 2, `the job is ${dead.state} after ${dead.attempts} attempts`);
  player.shell('echo order-1 > orders.csv');
  player.stage.write('orders.csv', 'order-1\n');
  await player.type('dlq', 'retry', 'import');
  await player.type('wait', 'import');
  const { state, attempts } = await player.job('import');
  expect(state === 'completed' && attempts === 1, `import is ${state} after ${attempts} attempts`);
  return 'dead after 2 attempts; completed after the cause was fixed';
}

/** Returns the times between the end of each attempt and the start of the next. */
const pausesMs = (history: readonly AttemptSeen[]): number[] =>
  history.slice(1).map(({ started_at }, i) => msBetween(history[i]?.ended_at, started_at));

/** Times are rounded to milliseconds. */
const atLeastMs = (attempt: number): number => BACKOFF_BASE ** attempt * 1000 - 1;
