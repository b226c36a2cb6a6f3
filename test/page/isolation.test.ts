import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boundFlags,
  boundsInput,
  isolationChange,
  isolationNote,
  isolationInput,
  givenByBounds,
  givenByIsolation,
} from '../../page/isolation/given.ts';
import { inForce } from '../../page/isolation/in-force.ts';

const MIB = 1024 ** 2;

test('the form shows the values of a job as typed and sends them back unchanged', () => {
  const limits = {
    memory_bytes: 512 * MIB,
    cpu_seconds: 90,
    cpu_percent: 50,
    nice: 5,
    mode: 'best-effort',
  } as const;
  const given = givenByIsolation({
    limits,
    sandbox: 'strict',
    secrets: ['A', 'B:file'],
    recipe: 'r',
    params: { x: '1' },
  });
  assert.deepEqual(isolationInput(given), {
    recipe: 'r',
    params: { x: '1' },
    limits: { memory: '512M', cpu: '50%', cpu_time: '90s', nice: 5, mode: 'best-effort' },
    sandbox: 'strict',
    secrets: ['A', 'B:file'],
  });
  assert.equal(isolationNote(given), 'memory 512M · CPU 50% · CPU time 90s · nice 5 · sandbox strict · 2 secrets');
  assert.equal(givenByBounds({ limits: { memory_bytes: 1500 } })['limits.memory'], '1500');
});

test('the form of a queue sends only changes, and removes emptied values', () => {
  const before = givenByBounds({ limits: { memory_bytes: MIB, nice: 5 }, sandbox: 'strict' });
  const given = { ...before, 'limits.memory': '', 'limits.processes': '50', sandbox: '' };
  assert.deepEqual(boundsInput(given, before), { limits: { memory: null, processes: 50 }, sandbox: null });
  assert.deepEqual(boundFlags(given, before), ['--memory none', '--processes 50', '--sandbox any']);
  assert.deepEqual(boundsInput(before, before), {});
});

test('editing a job sends all limits if one differs, and removes emptied values', () => {
  const before = givenByIsolation({ limits: { memory_bytes: MIB, nice: 5 }, secrets: ['A'] });
  assert.deepEqual(isolationChange({ ...before, 'limits.memory': '', secrets: '' }, before), {
    limits: { nice: 5 },
    secrets: null,
  });
  const none = { ...before, 'limits.memory': '', 'limits.nice': '' };
  assert.deepEqual(isolationChange(none, before), { limits: null });
});

const nothing = { limits: null, sandbox: null, user: null };

test('the strictest limit of job, queue and settings applies and names its source', () => {
  const found = inForce({
    job: { ...nothing, limits: { memory_bytes: MIB, nice: 5, io_class: 'best-effort' }, user: 'ann' },
    queue: { ...nothing, limits: { memory_bytes: 2 * MIB, nice: 10 }, sandbox: 'strict' },
    settings: { ...nothing, limits: { io_class: 'idle', processes: 9 }, sandbox: 'network' },
  });
  assert.deepEqual(
    found.map(({ label, words, from }) => [label, words, from]),
    [
      ['memory', '1 MiB', 'job'],
      ['processes', '9', 'settings'],
      ['nice', '10', 'queue'],
      ['disk priority', 'idle', 'settings'],
      ['sandbox', 'strict', 'queue'],
      ['user', 'ann', 'job'],
    ],
  );
});

test('limits are best effort only if every source of a limit allows it', () => {
  const limits = { nice: 5, mode: 'best-effort' } as const;
  const labels = (sources: Parameters<typeof inForce>[0]) => inForce(sources).map(({ label }) => label);
  assert.deepEqual(labels({ job: { ...nothing, limits }, queue: nothing, settings: nothing }), ['nice', 'limits']);
  const strict = { ...nothing, limits: { nice: 1 } };
  assert.deepEqual(labels({ job: { ...nothing, limits }, queue: strict, settings: nothing }), ['nice']);
});
