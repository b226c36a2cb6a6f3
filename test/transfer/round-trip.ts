// What was exported and imported is exported as the same lines again, whatever has happened in the queue before.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { environmentOf } from '../../src/job/environment/environment.ts';
import type { Dependency } from '../../src/job/flow/dependencies.ts';
import { NO_OUTPUT, type OutputPart } from '../../src/job/output/output.ts';
import { LineFile } from '../../src/transfer/line-file.ts';
import { placeOf } from '../../src/store/location.ts';
import { exportQueue, type Exported } from '../../src/transfer/export.ts';
import type { TransferQueue } from '../../src/transfer/format.ts';
import { importFile } from '../../src/transfer/import.ts';
import { type Bench, makeBench, type NewPlace, policy } from '../contract/bench.ts';
import { aStep } from '../contract/steps.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endings, newJob } from '../support/jobs.ts';

interface Side {
  readonly b: Bench;
  readonly queue: TransferQueue;
  readonly folder: string;
}

async function sideIn(t: TestContext, newPlace: NewPlace): Promise<Side> {
  const b = await makeBench(t, newPlace);
  const folder = temporaryFolder(t);
  const place = placeOf(path.join(folder, 'queue.db'), {});
  return { b, folder, queue: { store: b.store, place, now: () => b.now } };
}

const EVERYTHING = { history: true, outputs: true, filter: null };

async function exported({ queue }: Side): Promise<{ lines: string[]; counts: Exported }> {
  const lines: string[] = [];
  const counts = await exportQueue(
    queue,
    EVERYTHING,
    (line) => void lines.push(line.replace(/^(\{"end":.*),"running":\d+/, '$1')), // of a moment, not of the queue
    () => {},
  );
  return { lines, counts };
}

async function imported(side: Side, lines: readonly string[]): Promise<void> {
  const file = path.join(side.folder, 'export.ndjson');
  fs.writeFileSync(file, lines.join(''));
  await importFile(side.queue, new LineFile(file), file, { skipExisting: false, jobsOnly: false }, () => {});
}

/** The header tells where and when. */
const body = (lines: readonly string[]): readonly string[] => lines.slice(1);

/** One attempt that wrote this much, as far as the store has it. */
async function runWriting(b: Bench, id: string, data: Buffer): Promise<void> {
  const { seq, run } = await b.take(id);
  const part: OutputPart = { from: 0, data };
  const record = {
    ...NO_OUTPUT,
    bytes: data.length,
    head: data.length,
    stamps: [{ at: 0, ms: b.now, stream: 0 as const }],
  };
  const output = { record, part, logPath: null };
  await b.turn({ ended: [{ seq, run, ending: endings.completed, output }] });
}

const on = (parent: string, kind: Dependency['kind'] = 'job'): Dependency => ({
  kind,
  on: parent,
  rule: 'end',
});

/** Something of everything that an export has to carry. */
async function furnish(b: Bench): Promise<void> {
  const { store } = b;
  await store.saveSetting('max_retries', 7);
  await store.saveSetting('webhook_secret', 'tell nobody');
  await store.saveSetting('job_timeout', null);
  await store.hooks.setForQueue('mail', { on_dead: 'echo dead' });
  const shell = environmentOf({ PATH: '/bin', "it's": '"🦊"\n$(id)' });
  await store.enqueue(
    [newJob('hard', { command: ['a b', `'";--`, '\\ é'], env: { A: '' }, timeoutSeconds: 1 / 3 })],
    shell,
  );
  await b.enqueue(newJob('tagged', { tags: ['t', 'u'], hooks: { on_success: 'echo x' }, group: 'g' }));
  await b.enqueue('parent', newJob('child', { dependsOn: [on('parent'), on('g', 'group')] }));
  const stdin = Buffer.from(Array.from({ length: 120_000 }, (_, i) => (i * 7) % 256));
  await b.enqueue(newJob('reads', { stdin }), 'wordy', 'large', 'runs');
  await runWriting(b, 'wordy', Buffer.from('hello\n'));
  await runWriting(b, 'large', Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31) % 256)));
  await b.take('runs');
}

export function roundTrip(name: string, from: NewPlace, to: NewPlace): void {
  test(`${name}: a queue with data of every kind survives a round trip`, async (t) => {
    const [source, target] = [await sideIn(t, from), await sideIn(t, to)];
    await furnish(source.b);
    const { lines, counts } = await exported(source);
    assert.equal(counts.running, 1);
    await imported(target, lines);
    assert.deepEqual(body((await exported(target)).lines), body(lines));
    const { state, attempts } = await target.b.job('runs');
    assert.deepEqual([state, attempts], ['pending', 0]);
    assert.deepEqual(await target.b.store.check(), []);
    const { parts } = { parts: await target.b.store.outputs.read('wordy', 1, 0, 100) };
    assert.equal(parts.data.toString(), 'hello\n');
  });

  test(`${name}: a queue with any history exports equal lines after a round trip`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        const [source, target] = [await sideIn(t, from), await sideIn(t, to)];
        await source.b.worker('w2');
        for (const step of steps) await step.take(source.b);
        target.b.now = source.b.now;
        const { lines } = await exported(source);
        await imported(target, lines);
        assert.deepEqual(body((await exported(target)).lines), body(lines));
        assert.deepEqual(await target.b.store.check(), []);
        await target.b.turn({ want: 3, policy });
        await source.b.close();
        await target.b.close();
      }),
      { numRuns: 12 },
    );
  });
}
