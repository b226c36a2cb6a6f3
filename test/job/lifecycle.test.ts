// The state machine: every pair of state and event, and plan() as laws that hold for any job and any ending.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fingerprintOf } from '../../src/job/fingerprint.ts';
import type { Backoff } from '../../src/job/backoff.ts';
import { type Ending, isFinal, type Job, type JobState, OUTCOMES, STATES, STRATEGIES } from '../../src/job/job.ts';
import {
  allows,
  type Event,
  isPlainSuccess,
  MAX_INTERRUPTIONS_IN_ROW,
  MAX_SNOOZES,
  plan,
  type Settlement,
  TRANSITIONS,
} from '../../src/job/lifecycle.ts';
import { type OutcomeRules, USUAL_RULES } from '../../src/job/outcome-rules.ts';
import { endings, runningJob, T0 } from '../support/jobs.ts';

/** Written out once more on purpose: a changed table must be meant. */
const moves: Record<JobState, Partial<Record<Event, JobState>>> = {
  blocked: { unblock: 'pending', forsake: 'cancelled', cancel: 'cancelled' },
  pending: { block: 'blocked', claim: 'processing', cancel: 'cancelled' },
  processing: {
    complete: 'completed',
    fail: 'failed',
    exhaust: 'dead',
    snooze: 'pending',
    release: 'pending',
    quarantine: 'dead',
    reject: 'dead',
    stop: 'cancelled',
  },
  failed: { block: 'blocked', claim: 'processing', cancel: 'cancelled', retry: 'pending' },
  completed: { block: 'blocked', retry: 'pending' },
  dead: { block: 'blocked', retry: 'pending' },
  cancelled: { block: 'blocked', retry: 'pending' },
};
const EVENTS = Object.keys(TRANSITIONS) as Event[];
const policy: Backoff = { strategy: 'exponential', base: 2, maxSeconds: 3600, jitter: 0 };

describe('the transition table', () => {
  for (const state of STATES) {
    for (const event of EVENTS) {
      const to = moves[state][event];
      test(`${event} ${to ? `moves a ${state} job to ${to}` : `is not for a ${state} job`}`, () => {
        assert.equal(allows(event, state), to !== undefined);
        if (to) assert.equal(TRANSITIONS[event].to, to);
      });
    }
  }

  test('leaves a final state only by a retry of the job or its dependency', () => {
    for (const state of STATES.filter(isFinal)) {
      assert.deepEqual(
        EVENTS.filter((event) => allows(event, state)),
        ['block', 'retry'],
      );
    }
  });

  test('reaches every state', () => {
    const reached = new Set<JobState>(EVENTS.map((event) => TRANSITIONS[event].to));
    assert.deepEqual(
      STATES.filter((state) => !reached.has(state)),
      [],
    );
  });
});

const anEnding: fc.Arbitrary<Ending> = fc.constantFrom(...Object.values(endings));
const aPolicy: fc.Arbitrary<Backoff> = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  base: fc.double({ min: 0, max: 1e6, noNaN: true }),
  maxSeconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});
const aRunningJob: fc.Arbitrary<Job> = fc
  .record({
    attempts: fc.integer({ min: 1, max: 20 }),
    interruptions: fc.nat(5),
    interruptionsInRow: fc.nat(MAX_INTERRUPTIONS_IN_ROW - 1),
    maxRetries: fc.nat(20),
    backoffBase: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null }),
    backoffStrategy: fc.option(fc.constantFrom(...STRATEGIES), { nil: null }),
    snoozes: fc.integer({ min: 0, max: MAX_SNOOZES }),
    outcomeRules: fc.constantFrom(null, { ...USUAL_RULES, snoozeCode: 7 }, { ...USUAL_RULES, successCodes: [7] }),
    cancelRequestedAt: fc.constantFrom(null, T0),
  })
  .map((fields) => runningJob(fields));
const aChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const settle = (job: Job, ending: Ending): Settlement => plan(job, ending, policy, T0, 0.5);

/** Runs a job to a final state, each time it runs ending as `next` says. */
function runOut(job: Job, next: (run: number) => Ending): { starts: number; counted: number; settlement: Settlement } {
  let held = job;
  for (let starts = 1; ; starts++) {
    const settlement = settle(held, next(starts));
    if (isFinal(settlement.state)) return { starts, counted: settlement.attempts, settlement };
    assert.ok(starts < 1000, 'it ends some day');
    const { attempts, interruptions, interruptionsInRow } = settlement;
    held = { ...held, attempts: attempts + 1, interruptions, interruptionsInRow };
  }
}

describe('the effect of a finished attempt on its job', () => {
  test('is always a move of the table', () => {
    fc.assert(
      fc.property(aRunningJob, anEnding, aPolicy, aChance, (job, ending, anyPolicy, chance) => {
        const { event, state } = plan(job, ending, anyPolicy, T0, chance);
        assert.ok(allows(event, 'processing'), event);
        assert.equal(state, TRANSITIONS[event].to);
      }),
    );
  });

  test('sets a next start exactly if there is one, and never in the past', () => {
    fc.assert(
      fc.property(aRunningJob, anEnding, aPolicy, aChance, (job, ending, anyPolicy, chance) => {
        const { state, nextRunAt, finishedAt } = plan(job, ending, anyPolicy, T0, chance);
        const again = state === 'failed' || state === 'pending';
        assert.equal(nextRunAt !== null, again);
        assert.equal(finishedAt, again ? null : T0);
        if (nextRunAt !== null) assert.ok(Number.isInteger(nextRunAt) && nextRunAt >= T0, String(nextRunAt));
      }),
    );
  });

  test('never counts below zero', () => {
    fc.assert(
      fc.property(aRunningJob, anEnding, (job, ending) => {
        const { attempts, interruptions, interruptionsInRow } = settle(job, ending);
        assert.ok(Math.min(attempts, interruptions, interruptionsInRow) >= 0);
      }),
    );
  });

  test('is a table entry for every outcome', () => {
    assert.deepEqual(Object.keys(endings).sort(), [...OUTCOMES].sort());
  });
});

describe('retries', () => {
  test('a job that always fails is started max_retries + 1 times, then dead', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.constantFrom(...failures()), (maxRetries, ending) => {
        const { starts, counted, settlement } = runOut(runningJob({ maxRetries }), () => ending);
        assert.deepEqual([starts, counted, settlement.state], [maxRetries + 1, maxRetries + 1, 'dead']);
      }),
    );
  });

  test('with base 2 come after 2, 4 and 8 seconds', () => {
    const waits = [1, 2, 3].map((attempts) => Number(settle(runningJob({ attempts }), endings.failed).nextRunAt) - T0);
    assert.deepEqual(waits, [2000, 4000, 8000]);
  });

  test('follow the job before the settings', () => {
    const own = runningJob({ attempts: 3, backoffBase: 10, backoffStrategy: 'linear' });
    assert.equal(settle(own, endings.failed).nextRunAt, T0 + 30_000);
  });

  test('end with the reason of the last attempt', () => {
    const { lastError, fingerprint } = settle(runningJob({ maxRetries: 0 }), endings.failed);
    assert.deepEqual([lastError, fingerprint], ['exit code 7', fingerprintOf(endings.failed, 'exit code 7')]);
  });

  test('a plain success changes every job without rules in the same way', () => {
    fc.assert(
      fc.property(aRunningJob, aPolicy, aChance, (job, anyPolicy, chance) => {
        const ending: Ending = { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 5 };
        assert.ok(isPlainSuccess(ending));
        assert.deepEqual(plan({ ...job, outcomeRules: null }, ending, anyPolicy, T0, chance), {
          event: 'complete',
          state: 'completed',
          outcome: 'completed',
          error: null,
          attempts: job.attempts,
          interruptions: job.interruptions,
          interruptionsInRow: 0,
          snoozes: job.snoozes,
          nextRunAt: null,
          finishedAt: T0,
          lastError: null,
          fingerprint: null,
        });
      }),
    );
  });

  test('a completed job has no error', () => {
    assert.equal(settle(runningJob({ lastError: 'exit code 7' }), endings.completed).lastError, null);
    assert.equal(settle(runningJob(), endings.completed).fingerprint, null);
  });

  function failures(): Ending[] {
    return [endings.failed, endings.signalled, endings.timeout, endings.not_started];
  }
});

describe('lost workers', () => {
  test('use no retry, however they mix with failures', () => {
    fc.assert(
      fc.property(fc.nat(10), fc.infiniteStream(fc.boolean()), (maxRetries, coin) => {
        let lostInRow = 0;
        let lost = 0;
        const { starts, counted } = runOut(runningJob({ maxRetries }), () => {
          const lose = coin.next().value && lostInRow < MAX_INTERRUPTIONS_IN_ROW - 1;
          lostInRow = lose ? lostInRow + 1 : 0;
          lost += lose ? 1 : 0;
          return lose ? endings.worker_lost : endings.failed;
        });
        assert.equal(counted, maxRetries + 1);
        assert.equal(starts, counted + lost);
      }),
    );
  });

  test('requeue the job immediately', () => {
    const { state, nextRunAt } = settle(runningJob(), endings.worker_lost);
    assert.deepEqual([state, nextRunAt], ['pending', T0]);
  });

  test('three in a row make it dead with that reason', () => {
    const { starts, settlement } = runOut(runningJob({ maxRetries: 100 }), () => endings.worker_lost);
    assert.equal(starts, 3);
    assert.equal(settlement.event, 'quarantine');
    assert.equal(settlement.state, 'dead');
    assert.equal(settlement.interruptions, 3);
    assert.match(settlement.lastError ?? '', /3 workers were lost in a row/);
  });

  test('are counted from 0 after an attempt that finished by itself', () => {
    const sequence = ['worker_lost', 'worker_lost', 'failed', 'worker_lost', 'worker_lost', 'completed'] as const;
    const { settlement } = runOut(runningJob(), (run) => endings[sequence[run - 1] ?? 'completed']);
    assert.deepEqual([settlement.state, settlement.interruptions], ['completed', 4]);
  });

  test('are not reset by a worker stopped by force in between', () => {
    const held = runningJob({ interruptions: 2, interruptionsInRow: 2 });
    assert.equal(settle(held, endings.released).interruptionsInRow, 2);
  });
});

describe('an unreadable record', () => {
  test('makes its job dead immediately, whatever retries are left, with that reason', () => {
    const { event, state, lastError } = settle(runningJob({ maxRetries: 9 }), endings.malformed);
    assert.deepEqual([event, state], ['reject', 'dead']);
    assert.match(lastError ?? '', /^invalid job record: /);
  });
});

describe('a worker stopped by force', () => {
  test('requeues its job immediately without using a retry', () => {
    const { event, state, attempts, interruptions, nextRunAt } = settle(runningJob({ attempts: 2 }), endings.released);
    assert.deepEqual([event, state, attempts, interruptions, nextRunAt], ['release', 'pending', 1, 0, T0]);
  });
});

describe('exit codes with a special meaning', () => {
  const rules = (more: Partial<OutcomeRules>): Job => runningJob({ outcomeRules: { ...USUAL_RULES, ...more } });
  const exit = (exitCode: number, more: Partial<Ending> = {}): Ending =>
    exitCode === 0
      ? { ...endings.completed, ...more }
      : { ...endings.failed, exitCode, error: `exit code ${exitCode}`, ...more };

  test('a success code completes the job without an error', () => {
    const { event, outcome, error, lastError } = settle(rules({ successCodes: [0, 3] }), exit(3));
    assert.deepEqual([event, outcome, error, lastError], ['complete', 'completed', null, null]);
  });

  test('0 is a failure if it is not among the success codes', () => {
    const { event, outcome, lastError } = settle(rules({ successCodes: [3] }), exit(0));
    assert.deepEqual([event, outcome, lastError], ['fail', 'failed', 'exit code 0']);
  });

  test('a no-retry code makes the job dead immediately', () => {
    const job = rules({ noRetryCodes: [2, 127] });
    assert.deepEqual([settle(job, exit(2)).event, settle(job, exit(2)).lastError], ['exhaust', 'exit code 2']);
    assert.equal(settle(job, exit(1)).event, 'fail');
    assert.equal(settle(job, { ...endings.not_started, exitCode: 127 }).event, 'exhaust');
  });

  test('codes do not apply to outcomes that the command did not choose', () => {
    const job = rules({ successCodes: [0, 143], snoozeCode: 137 });
    for (const outcome of ['signalled', 'timeout', 'not_started', 'cancelled', 'released'] as const) {
      for (const exitCode of [143, 137]) {
        const ending = { ...endings[outcome], exitCode };
        assert.deepEqual(settle(job, ending), settle(runningJob(), ending), `${outcome} ${exitCode}`);
      }
    }
  });
});

test('a notice is stored with the attempt and is not an error of the job', () => {
  const { error, lastError } = settle(runningJob(), {
    ...endings.completed,
    remark: 'its result was not kept',
  });
  assert.deepEqual([error, lastError], ['exit code 0; its result was not kept', null]);
});

describe('a job that asks to run again later', () => {
  const snoozing = (more: Partial<Job> = {}): Job =>
    runningJob({ outcomeRules: { ...USUAL_RULES, snoozeCode: 75 }, ...more });
  const asks = (retryAfterSeconds?: number): Ending => ({
    ...endings.failed,
    exitCode: 75,
    error: 'exit code 75',
    retryAfterSeconds,
  });

  test('waits as long as it asked, or a minute, and uses no attempt', () => {
    const { event, state, outcome, attempts, snoozes, nextRunAt, lastError } = settle(
      snoozing({ attempts: 2, snoozes: 4 }),
      asks(300),
    );
    assert.deepEqual([event, state, outcome, attempts, snoozes], ['snooze', 'pending', 'snoozed', 1, 5]);
    assert.deepEqual([nextRunAt, lastError], [T0 + 300_000, null]);
    assert.equal(settle(snoozing(), asks()).fingerprint, null, 'it is no failure');
    assert.equal(settle(snoozing(), asks()).nextRunAt, T0 + 60_000);
  });

  test('cannot wait longer than thirty days at a time', () => {
    assert.equal(settle(snoozing(), asks(1e12)).nextRunAt, T0 + 30 * 86_400_000);
  });

  test('fails if it asks too often, with that reason', () => {
    const often = snoozing({ snoozes: MAX_SNOOZES });
    const { event, outcome, attempts, lastError } = settle(often, asks(1));
    assert.deepEqual([event, outcome, attempts], ['fail', 'failed', 1]);
    assert.equal(lastError, 'snoozed more than 1000 times');
    assert.equal(settle({ ...often, maxRetries: 0 }, asks(1)).event, 'exhaust');
  });

  test('is cancelled on a cancel request', () => {
    const { state, lastError } = settle(snoozing({ cancelRequestedAt: T0 }), asks(1));
    assert.deepEqual([state, lastError], ['cancelled', null]);
  });
});

describe('a cancel request', () => {
  test('wins over every outcome except completion', () => {
    for (const ending of Object.values(endings)) {
      const { state } = settle(runningJob({ cancelRequestedAt: T0, interruptionsInRow: 2 }), ending);
      assert.equal(state, ending.outcome === 'completed' ? 'completed' : 'cancelled', ending.outcome);
    }
  });

  test('leaves no next start', () => {
    assert.equal(settle(runningJob({ cancelRequestedAt: T0 }), endings.failed).nextRunAt, null);
  });
});
