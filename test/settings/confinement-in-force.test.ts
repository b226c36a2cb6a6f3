// What confines a job: what it says itself, what is said of its queue, and what holds for all.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { confinementKey, confinementValue } from '../../src/settings/confinement-in-force.ts';
import { Settings, type Stored } from '../../src/settings/settings.ts';

const MIB = 1024 * 1024;
const ofQueue = (queue: string, limits: object): Stored => ({
  [confinementKey(queue)]: confinementValue({ limits }) ?? null,
});

describe('the isolation of a job', () => {
  test("is the job's own if nothing else is set", () => {
    const { confinement } = new Settings({});
    assert.equal(confinement.of('default', null), null);
    const own = { limits: { nice: 5 } };
    assert.equal(confinement.of('default', own), own);
  });

  test('is the strictest of the job, its queue and the settings, limit by limit', () => {
    const stored = {
      ...ofQueue('mail', { memoryBytes: 100 * MIB, nice: 3, processes: 5 }),
      limit_memory: 200 * MIB,
      limit_nice: 7,
      limit_io_class: 'idle',
    };
    const own = { limits: { memoryBytes: 150 * MIB, processes: 9, ioClass: 'best-effort' as const } };
    assert.deepEqual(new Settings(stored).confinement.of('mail', own), {
      limits: { memoryBytes: 100 * MIB, nice: 7, processes: 5, ioClass: 'idle' },
    });
  });

  test('is independent of other queues', () => {
    const { confinement } = new Settings(ofQueue('mail', { nice: 3 }));
    assert.equal(confinement.of('images', null), null);
    assert.deepEqual(confinement.of('mail', null), { limits: { nice: 3 } });
  });

  test('is best effort only if every source of a limit allows it', () => {
    const { confinement } = new Settings(ofQueue('mail', { nice: 3 }));
    const own = { limits: { memoryBytes: MIB, isBestEffort: true } };
    assert.deepEqual(confinement.of('images', own), own);
    assert.deepEqual(confinement.of('mail', own)?.limits, { memoryBytes: MIB, nice: 3 });
  });

  test("is unknown if its queue's isolation is unreadable, and then the job must not run", () => {
    const { confinement } = new Settings({ [confinementKey('mail')]: '{broken' });
    assert.equal(confinement.of('mail', null), undefined);
    assert.equal(confinement.of('images', null), null);
  });
});
