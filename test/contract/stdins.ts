// What jobs are given to read: byte for byte, and gone with its job.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewJob } from '../../src/job/job.ts';
import { newJob } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
const reader = (id: string, stdin: Uint8Array): NewJob => newJob(id, { stdin });

async function given(b: Bench, id: string): Promise<Buffer | null> {
  const { seq } = await b.take(id);
  const stdin = await b.store.stdinOf(seq);
  return stdin && Buffer.from(stdin);
}

export function stdins(bench: MakeBench): void {
  test('a job gets the bytes it was enqueued with, and its claim has their number', async (t) => {
    const b = await bench(t);
    await b.enqueue(reader('a', EVERY_BYTE), 'b', reader('c', Buffer.alloc(0)));
    assert.deepEqual(
      (await b.all()).map(({ stdinBytes }) => stdinBytes),
      [256, null, 0],
    );
    const claimed = await b.claim(3);
    assert.deepEqual(
      claimed.map(({ job }) => job.stdinBytes),
      [256, null, 0],
    );
    const read = await Promise.all(claimed.map(({ seq }) => b.store.stdinOf(seq)));
    assert.deepEqual(
      read.map((data) => data && Buffer.from(data)),
      [EVERY_BYTE, null, Buffer.alloc(0)],
    );
  });

  test('ten MiB are accepted', async (t) => {
    const b = await bench(t);
    const large = Buffer.alloc(10 * 1024 * 1024, EVERY_BYTE);
    await b.enqueue(reader('a', large));
    assert.ok((await given(b, 'a'))?.equals(large));
  });

  test('staged jobs keep their own stdin', async (t) => {
    const b = await bench(t);
    const staging = await b.store.stage();
    await staging.add([reader('a', Buffer.from('of a')), newJob('b')]);
    await staging.add([reader('c', Buffer.from('of c'))]);
    await staging.commit();
    for (const [id, said] of [
      ['a', 'of a'],
      ['b', undefined],
      ['c', 'of c'],
    ] as const)
      assert.equal((await given(b, id))?.toString(), said);
  });

  test('a rejected job leaves no stdin', async (t) => {
    const b = await bench(t);
    await b.enqueue(reader('a', Buffer.from('first')));
    await assert.rejects(b.store.enqueue([reader('b', EVERY_BYTE), reader('a', Buffer.from('second'))]));
    assert.equal((await given(b, 'a'))?.toString(), 'first');
  });

  test('stdin is deleted with its job', async (t) => {
    const b = await bench(t);
    await b.enqueue(reader('a', EVERY_BYTE));
    const { seq } = await b.take('a');
    await b.end({ seq, run: 1 }, 'completed');
    await b.store.remove(['a']);
    assert.equal(await b.store.stdinOf(seq), null);
  });

  test('a reset queue has no stdin', async (t) => {
    const b = await bench(t);
    await b.enqueue(reader('a', EVERY_BYTE));
    const { seq } = await b.take('a');
    await b.store.reset();
    assert.equal(await b.store.stdinOf(seq), null);
  });
}
