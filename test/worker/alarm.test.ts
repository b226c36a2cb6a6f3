// The worker's sleep: no ring is lost, and simultaneous ones count as one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Alarm } from '../../src/worker/alarm.ts';

const NEVER_MS = 60_000;

test('a ring ends the sleep', async () => {
  const alarm = new Alarm();
  setImmediate(() => alarm.ring());
  await alarm.next(() => NEVER_MS);
});

test('a ring while awake skips the next sleep', async () => {
  const alarm = new Alarm();
  alarm.ring();
  await alarm.next(() => NEVER_MS);
});

test('simultaneous rings count as one', async () => {
  const alarm = new Alarm();
  for (let i = 0; i < 3; i++) alarm.ring();
  await alarm.next(() => NEVER_MS);
  const before = performance.now();
  await alarm.next(() => 30);
  assert.ok(performance.now() - before >= 25, 'it slept');
});

test('a ring just after waking skips the next sleep', async () => {
  const alarm = new Alarm();
  alarm.ring();
  await alarm.next(() => NEVER_MS);
  alarm.ring();
  await alarm.next(() => NEVER_MS);
});
