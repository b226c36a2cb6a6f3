// What the worker gathers of what its job says: the latest, once, and only what is small and regular.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { MERGED, STDERR, STDOUT } from '../../src/job/output/output-stamps.ts';
import { Inside } from '../../src/worker/attempt/inside.ts';
import { temporaryFolder } from '../support/folder.ts';

interface Scene {
  readonly inside: Inside;
  readonly folder: string;
  /** Writes to the file that a variable of the job names. */
  readonly tell: (variable: string, text: string | Buffer) => void;
}

function newScene(t: TestContext): Scene {
  const folder = path.join(temporaryFolder(t), 'logs');
  const inside = new Inside(path.join(folder, 'job.1.log'), true);
  const tell = (variable: string, text: string | Buffer): void =>
    fs.writeFileSync(inside.variables[variable] ?? '', text);
  return { inside, folder, tell };
}

suite('what a job says', () => {
  test('is news until the store knows it', (t) => {
    const { inside } = newScene(t);
    assert.equal(inside.news, null);
    inside.add(Buffer.from('::progress 10 a\n'), MERGED);
    assert.deepEqual(inside.news, { percent: 10, note: 'a' });
    inside.recorded({ percent: 10, note: 'a' });
    assert.equal(inside.news, null);
    inside.add(Buffer.from('::progress 10 a\n'), MERGED);
    assert.equal(inside.news, null, 'the same again is no news');
    assert.equal(inside.finish().progress, null);
  });

  test('in a flood is one piece of news: the last', (t) => {
    const { inside } = newScene(t);
    const lines = Array.from({ length: 10_000 }, (_, i) => `::progress ${i % 101} ${i}\n`).join('');
    for (let i = 0; i < 10; i++) inside.add(Buffer.from(lines), MERGED);
    assert.deepEqual(inside.news, { percent: 0, note: '9999' });
  });

  test('can come by a file and by both streams; what came last counts', (t) => {
    const { inside, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', '10 by file');
    assert.equal(inside.news?.percent, 10);
    inside.add(Buffer.from('::progress 2'), STDOUT);
    inside.add(Buffer.from('::progress 30 b\n'), STDERR);
    assert.equal(inside.news?.percent, 30);
    inside.add(Buffer.from('0 a\n'), STDOUT);
    assert.equal(inside.news?.percent, 20);
    tell('QUEUECTL_PROGRESS', '40 by file again');
    assert.deepEqual(inside.news, { percent: 40, note: 'by file again' });
  });

  test('at its end is taken, and its files are gone', (t) => {
    const { inside, folder, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', '99 nearly');
    tell('QUEUECTL_RESULT', ' {"a":1}\n');
    tell('QUEUECTL_RETRY_AFTER', '90s\n');
    const words = inside.finish();
    assert.deepEqual(words, {
      progress: { percent: 99, note: 'nearly' },
      result: '{"a":1}',
      remark: null,
      retryAfterSeconds: 90,
    });
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  test('that makes no sense is left out; of a result it is said', (t) => {
    const { inside, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', Buffer.alloc(100_000, 'x'));
    tell('QUEUECTL_RESULT', '{');
    tell('QUEUECTL_RETRY_AFTER', 'soon');
    const { remark, ...rest } = inside.finish();
    assert.deepEqual(rest, { progress: null, result: null, retryAfterSeconds: null });
    assert.match(remark ?? '', /^result not stored: it is not valid JSON/);
  });

  test('through a link to another file is not read', (t) => {
    const { inside, folder } = newScene(t);
    fs.writeFileSync(path.join(folder, 'secret'), '"secret"');
    fs.symlinkSync(path.join(folder, 'secret'), inside.variables.QUEUECTL_RESULT ?? '');
    assert.equal(inside.finish().result, null);
    assert.deepEqual(fs.readdirSync(folder), ['secret']);
  });

  test('is nobody else’s business when its lease is lost', (t) => {
    const { inside, folder, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', '1');
    tell('QUEUECTL_RESULT', '1');
    inside.discard();
    assert.deepEqual(fs.readdirSync(folder), []);
  });
});
