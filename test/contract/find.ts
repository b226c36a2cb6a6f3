// One job, by its id or the beginning of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../support/rejection.ts';
import type { MakeBench } from './bench.ts';

export function finding(bench: MakeBench): void {
  test('get accepts only complete IDs', async (t) => {
    const b = await bench(t);
    await b.enqueue('alpha');
    assert.equal((await b.store.get('alpha'))?.id, 'alpha');
    for (const id of ['alph', 'ALPHA', 'beta', '']) assert.equal(await b.store.get(id), null, id);
  });

  test('find accepts any unique prefix of an ID', async (t) => {
    const b = await bench(t);
    await b.enqueue('alpha', 'beta', 'be');
    assert.equal((await b.store.find('a')).id, 'alpha');
    assert.equal((await b.store.find('bet')).id, 'beta');
  });

  test('a complete ID wins over a prefix of another', async (t) => {
    const b = await bench(t);
    await b.enqueue('job10', 'job1', 'job11');
    assert.equal((await b.store.find('job1')).id, 'job1');
  });

  test('a prefix of two IDs is ambiguous, and both are named', async (t) => {
    const b = await bench(t);
    await b.enqueue('job1', 'job2', 'other');
    const { message, exitCode } = await rejection('ambiguous_id', () => b.store.find('jo'));
    assert.match(message, /job1, job2$/);
    assert.equal(exitCode, 2);
  });

  test('a prefix of many IDs names a few of them', async (t) => {
    const b = await bench(t);
    await b.enqueue(...Array.from({ length: 50 }, (_, i) => `job${10 + i}`));
    assert.match((await rejection('ambiguous_id', () => b.store.find('job'))).message, /job10, job11, job12, \.\.\.$/);
  });

  test('an unknown or empty prefix is not found', async (t) => {
    const b = await bench(t);
    await b.enqueue('alpha');
    for (const given of ['beta', 'alphabet', 'Alpha', '', '%', '_lpha', 'a%', "' OR 1=1 --", 'é', '~', 'a~']) {
      assert.equal((await rejection('job_not_found', () => b.store.find(given))).exitCode, 3, given);
    }
  });

  test('every character of an ID can be found', async (t) => {
    const b = await bench(t);
    const letters = [...'-.0:AZ_az9'];
    await b.enqueue(...letters.map((letter) => `${letter}x`));
    for (const letter of letters) assert.equal((await b.store.find(letter)).id, `${letter}x`);
  });
}
