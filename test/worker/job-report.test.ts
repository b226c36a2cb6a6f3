// Collecting a job's reports: only the latest, only once, and only from small regular files.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { MERGED, STDERR, STDOUT } from '../../src/job/output/output-stamps.ts';
import { JobReport } from '../../src/worker/attempt/job-report.ts';
import { temporaryFolder } from '../support/folder.ts';

interface Scene {
  readonly report: JobReport;
  readonly folder: string;
  /** Writes to the file named by a variable of the job. */
  readonly tell: (variable: string, text: string | Buffer) => void;
}

function newScene(t: TestContext): Scene {
  const folder = path.join(temporaryFolder(t), 'logs');
  const report = new JobReport(path.join(folder, 'job.1.log'), true);
  const tell = (variable: string, text: string | Buffer): void =>
    fs.writeFileSync(report.variables[variable] ?? '', text);
  return { report, folder, tell };
}

suite('a job report', () => {
  test('is news until it is stored', (t) => {
    const { report } = newScene(t);
    assert.equal(report.news, null);
    report.add(Buffer.from('::progress 10 a\n'), MERGED);
    assert.deepEqual(report.news, { percent: 10, note: 'a' });
    report.recorded({ percent: 10, note: 'a' });
    assert.equal(report.news, null);
    report.add(Buffer.from('::progress 10 a\n'), MERGED);
    assert.equal(report.news, null, 'the same again is no news');
    assert.equal(report.finish().progress, null);
  });

  test('keeps only the last of many progress lines', (t) => {
    const { report } = newScene(t);
    const lines = Array.from({ length: 10_000 }, (_, i) => `::progress ${i % 101} ${i}\n`).join('');
    for (let i = 0; i < 10; i++) report.add(Buffer.from(lines), MERGED);
    assert.deepEqual(report.news, { percent: 0, note: '9999' });
  });

  test('takes progress from a file and both streams, and the last one counts', (t) => {
    const { report, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', '10 by file');
    assert.equal(report.news?.percent, 10);
    report.add(Buffer.from('::progress 2'), STDOUT);
    report.add(Buffer.from('::progress 30 b\n'), STDERR);
    assert.equal(report.news?.percent, 30);
    report.add(Buffer.from('0 a\n'), STDOUT);
    assert.equal(report.news?.percent, 20);
    tell('QUEUECTL_PROGRESS', '40 by file again');
    assert.deepEqual(report.news, { percent: 40, note: 'by file again' });
  });

  test('returns the final values and removes its files', (t) => {
    const { report, folder, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', '99 nearly');
    tell('QUEUECTL_RESULT', ' {"a":1}\n');
    tell('QUEUECTL_RETRY_AFTER', '90s\n');
    const words = report.finish();
    assert.deepEqual(words, {
      progress: { percent: 99, note: 'nearly' },
      result: '{"a":1}',
      remark: null,
      retryAfterSeconds: 90,
    });
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  test('ignores invalid values, with a remark about an invalid result', (t) => {
    const { report, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', Buffer.alloc(100_000, 'x'));
    tell('QUEUECTL_RESULT', '{');
    tell('QUEUECTL_RETRY_AFTER', 'soon');
    const { remark, ...rest } = report.finish();
    assert.deepEqual(rest, { progress: null, result: null, retryAfterSeconds: null });
    assert.match(remark ?? '', /^result not stored: invalid JSON/);
  });

  test('does not follow symbolic links', (t) => {
    const { report, folder } = newScene(t);
    fs.writeFileSync(path.join(folder, 'secret'), '"secret"');
    fs.symlinkSync(path.join(folder, 'secret'), report.variables.QUEUECTL_RESULT ?? '');
    assert.equal(report.finish().result, null);
    assert.deepEqual(fs.readdirSync(folder), ['secret']);
  });

  test('is discarded when the lease is lost', (t) => {
    const { report, folder, tell } = newScene(t);
    tell('QUEUECTL_PROGRESS', '1');
    tell('QUEUECTL_RESULT', '1');
    report.discard();
    assert.deepEqual(fs.readdirSync(folder), []);
  });
});
