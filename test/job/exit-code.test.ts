// What `run` and `wait` answer for a job that has ended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../src/job/exit-code.ts';

const answers: [job: Parameters<typeof exitCodeOf>[0], code: number, why: string][] = [
  [{ state: 'completed', exitCode: 0, signal: null }, 0, 'a completed job'],
  [{ state: 'dead', exitCode: 7, signal: null }, 7, 'its own exit code'],
  [{ state: 'dead', exitCode: null, signal: 'SIGKILL' }, 137, 'a signal, as a shell says it'],
  [{ state: 'dead', exitCode: null, signal: 'SIGNONE' }, 1, 'a signal nobody knows'],
  [{ state: 'dead', exitCode: null, signal: null }, 1, 'a job that could not start'],
  [{ state: 'cancelled', exitCode: 0, signal: null }, 130, 'a cancelled job, whatever it said'],
];
for (const [job, code, why] of answers) {
  test(`${code} for ${why}`, () => assert.equal(exitCodeOf(job), code));
}
