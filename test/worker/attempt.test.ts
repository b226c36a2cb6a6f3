// The outcome of an attempt that exits just when it is about to be stopped.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { processEntry } from '../../src/process/tree/proc.ts';
import { RunningAttempt } from '../../src/worker/attempt/attempt.ts';
import type { EndReason } from '../../src/worker/attempt/attempt-ending.ts';
import { attemptContext } from '../support/attempt-context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runningJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';

const REASONS: readonly Exclude<EndReason, 'lost'>[] = ['stopped', 'timeout', 'cancelled', 'cut_off'];

function begin(t: TestContext, command: string) {
  const folder = temporaryFolder(t);
  const job = runningJob({ command, cwd: folder });
  const logPath = join(folder, 'a.1.log');
  const claimed = { seq: 1, run: 1, job, weight: 1, waitedMs: 0, environment: null, logPath };
  return { folder, attempt: RunningAttempt.start(claimed, attemptContext(folder)) };
}

for (const reason of REASONS) {
  test(`a job that exits before it is signalled keeps its outcome: ${reason}`, async (t) => {
    const { folder, attempt } = begin(t, 'until [ -e end ]; do sleep 0.01; done; exit 0');
    const pid = Number(await attempt.begun);
    void attempt.end(reason, 5000);
    writeFileSync(join(folder, 'end'), '');
    untilGone(pid);
    assert.equal((await attempt.ended)?.ending.outcome, 'completed');
  });

  test(`a job that exits after a signal was stopped: ${reason}`, async (t) => {
    const { folder, attempt } = begin(t, 'trap "exit 0" TERM; touch ready; while :; do sleep 0.01; done');
    await until('it listens', () => existsSync(join(folder, 'ready')));
    await attempt.end(reason, 5000);
    assert.notEqual((await attempt.ended)?.ending.outcome, 'completed');
  });
}

/** Blocks the event loop, so that nothing in this process can find or signal the job before it is gone. */
function untilGone(pid: number): void {
  const deadline = performance.now() + 10_000;
  while (processEntry(pid) !== null) assert.ok(performance.now() < deadline, 'it goes on');
}
