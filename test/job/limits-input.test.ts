// What may be said of a job's limits, and how it is shown.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJob } from '../../src/job/input/input.ts';
import { changedLimits, limitsToJson } from '../../src/job/input/limits-input.ts';
import { rejected } from '../support/rejection.ts';

const context = {
  now: 0,
  zone: 'utc' as const,
  newId: () => 'a',
  cwd: '/',
  defaults: { maxRetries: 0, timeoutSeconds: null },
};
const limitsOf = (said: object, flags: Record<string, unknown> = {}) =>
  parseJob({ command: 'true', ...said }, flags, context).confinement?.limits;

const ALL = {
  memory: '512M',
  cpu_time: '60s',
  cpu: '50%',
  processes: 100,
  open_files: 256,
  file_size: '1G',
  nice: 10,
  io_class: 'idle',
};
const READ = {
  memoryBytes: 512 * 1024 ** 2,
  cpuSeconds: 60,
  cpuPercent: 50,
  processes: 100,
  openFiles: 256,
  fileBytes: 1024 ** 3,
  nice: 10,
  ioClass: 'idle',
};

describe('limits', () => {
  test('are given together or each by its own name', () => {
    assert.deepEqual(limitsOf({ limits: ALL }), READ);
    assert.deepEqual(limitsOf(ALL), READ);
    assert.deepEqual(limitsOf({ limits: { memory: '1g' }, cpu: 200 }), {
      memoryBytes: 1024 ** 3,
      cpuPercent: 200,
    });
  });

  test('are shown in a form that can be given again', () => {
    const shown = limitsToJson(limitsOf({ ...ALL, limits: 'best-effort' }));
    assert.deepEqual(shown, {
      memory_bytes: READ.memoryBytes,
      cpu_seconds: 60,
      cpu_percent: 50,
      processes: 100,
      open_files: 256,
      file_bytes: READ.fileBytes,
      nice: 10,
      io_class: 'idle',
      mode: 'best-effort',
    });
    assert.deepEqual(limitsOf({ limits: shown }), { ...READ, isBestEffort: true });
  });

  test('given as options replace those of the job one by one', () => {
    assert.deepEqual(limitsOf({ limits: { memory: '1G', nice: 1 } }, { memory: '2G', limits: 'best-effort' }), {
      memoryBytes: 2 * 1024 ** 3,
      nice: 1,
      isBestEffort: true,
    });
  });

  for (const [said, problem] of [
    [{ memory: 'much' }, /'memory' 'much' is not a size/],
    [{ memory: '10k' }, /'memory' must be from 1048576/],
    [{ cpu_time: 'long' }, /not a duration/],
    [{ cpu: '50 apples' }, /not a CPU share/],
    [{ processes: 0 }, /'processes' must be from 1/],
    [{ open_files: 2 }, /'open_files' must be from 3/],
    [{ nice: -5 }, /'nice' must be from 0 to 19/],
    [{ io_class: 'realtime' }, /'io_class' must be one of best-effort, idle/],
    [{ limits: 'lax' }, /'limits' must be one of strict, best-effort/],
    [{ limits: 7 }, /'limits' must be an object/],
    [{ limits: { memroy: '1G' } }, /unknown field 'memroy' in 'limits'/],
    [{ limits: { memory: '1G' }, memory: '2G' }, /'memory' is given twice/],
  ] as const)
    test(`${JSON.stringify(said)} is rejected`, () => {
      assert.match(rejected('invalid_job', () => limitsOf(said)).message, problem);
    });

  test('of a queue are changed one by one, and null removes one', () => {
    const before = { memoryBytes: 5, nice: 3, isBestEffort: true };
    assert.deepEqual(changedLimits(before, { nice: null, processes: 4 }), {
      memoryBytes: 5,
      processes: 4,
      isBestEffort: true,
    });
    assert.deepEqual(changedLimits(before, { memory: null, nice: null, mode: null }), {});
    rejected('invalid_job', () => changedLimits(before, { nise: null }));
  });
});
