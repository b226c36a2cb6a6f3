// What a server answers is understood: jobs come back from JSON as they were shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type EditInput, readEdit } from '../../src/job/input/edit-input.ts';
import { freshJob } from '../../src/job/fresh-job.ts';
import { fieldsSaid, type InputContext, parseJob } from '../../src/job/input/input.ts';
import { jobToJson } from '../../src/job/wire.ts';
import type * as data from '../../src/library/data.ts';
import { jobFrom } from '../../src/remote/from-wire.ts';
import { editToWire, newJobToWire } from '../../src/remote/to-wire.ts';
import { T0 } from '../support/jobs.ts';
import { aNewJob } from '../support/random-jobs.ts';

const CONTEXT: InputContext = {
  now: T0,
  zone: 'utc',
  newId: () => 'made',
  cwd: null,
  defaults: { maxRetries: 3, timeoutSeconds: null },
};

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a job shown from JSON equals the original', () => {
  fc.assert(
    fc.property(aNewJob, (job) => {
      const shown = overTheWire(jobToJson(freshJob(job, T0), { env: true })) as data.Job;
      assert.deepEqual(overTheWire(jobToJson(jobFrom(shown), { env: true })), shown);
    }),
  );
});

test('a new job means the same on the server', () => {
  const raw = {
    command: ['a', 'b c'],
    queue: 'mail',
    delay: '90s',
    timeout_ms: 5000,
    env: { A: '1' },
    after: ['x', 'group:y'],
    after_any_end: 'z',
    tags: 'one',
    no_retry_codes: '3,4',
    warn_signal: 'USR1@2s',
    on_dead: 'echo dead',
    group: 'g',
    group_concurrency: 2,
    unique_key: 'k',
    unique_for: '10m',
    if_exists: 'replace',
    stdin: 'text',
    split_output: true,
  };
  const job = parseJob(raw, { priority: 5 }, CONTEXT);
  const sent = overTheWire(newJobToWire(job, fieldsSaid(raw, { priority: 5 }, CONTEXT)));
  assert.deepEqual(parseJob(sent, {}, { ...CONTEXT, now: T0 + 60_000 }), job);
});

test('missing fields of a job are left to the server', () => {
  const job = parseJob({ command: 'true' }, {}, CONTEXT);
  assert.deepEqual(newJobToWire(job, fieldsSaid({ command: 'true' }, {}, CONTEXT)), {
    command: 'true',
    id: 'made',
  });
});

test('an edit means the same on the server', () => {
  const edits: EditInput[] = [
    { priority: 4, run_at: '+1h', tags: ['a'] },
    { timeout: null, env: null, on_dead: 'x', on_success: null },
    { success_codes: [0, 3], warn_signal: 'USR1@3s', snooze_code: null },
    { warn_signal: null },
    { hooks: { on_failure: 'y' } },
  ];
  for (const said of edits) {
    const edit = readEdit(said, CONTEXT);
    assert.deepEqual(readEdit(overTheWire(editToWire(edit)) as EditInput, CONTEXT), edit);
  }
});
