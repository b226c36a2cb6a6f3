// The log of an attempt: its markers, its size limit, its last line.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { AttemptLog, cutLog, howItEnded, markLost, removeLogs } from '../../src/process/log.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endings, T0 } from '../support/jobs.ts';

const START_LINE = '--- START 2026-03-02T10:00:00.000Z attempt=2 command="make all" ---\n';
const END_LINE = '--- END 2026-03-02T10:00:01.000Z rc=0 ---\n';

function begin(t: TestContext, command: string | string[] = 'make all') {
  const file = path.join(temporaryFolder(t), 'logs', 'a.2.log');
  const log = new AttemptLog(file, { number: 2, command, startedAt: T0 });
  const write = (text: string): void => fs.appendFileSync(file, text); // as the job does
  const text = (): string => fs.readFileSync(file, 'utf8');
  const close = (): void => {
    log.end({ at: T0 + 1000, how: 'rc=0' });
    log.close();
  };
  return { log, file, write, text, close };
}

test('output stands between a START line and an END line', (t) => {
  const { write, text, close } = begin(t);
  write('one\ntwo\n');
  close();
  assert.equal(text(), `${START_LINE}one\ntwo\n${END_LINE}`);
});

test('the END line is a line of its own, and says so when the newline before it is not the job’s', (t) => {
  const { write, text, close } = begin(t);
  write('no newline');
  close();
  const end = '--- END 2026-03-02T10:00:01.000Z rc=0, no newline at the end ---\n';
  assert.equal(text(), `${START_LINE}no newline\n${end}`);
});

test('a command of several lines takes one line in the log', (t) => {
  const { text, close } = begin(t, ['printf', 'a\nb']);
  close();
  assert.match(text(), /^--- START .* command=\["printf","a\\nb"\] ---\n--- END/);
});

test('the folder is made when it is missing, and only its owner can read the log', (t) => {
  const { file, close } = begin(t);
  close();
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
});

test('the END line names what ended the attempt', () => {
  const words = Object.values(endings).map(howItEnded);
  assert.deepEqual(words, [
    'rc=0',
    'rc=7',
    'signal=SIGSEGV',
    'timeout',
    'rc=null',
    'cancelled',
    'released',
    'worker lost',
  ]);
});

test('an attempt that lost its worker is closed by somebody else', (t) => {
  const { log, file, write, text } = begin(t);
  write('half a li');
  markLost(file, T0 + 1000);
  log.close();
  assert.equal(text(), `${START_LINE}half a li\n--- END 2026-03-02T10:00:01.000Z worker lost ---\n`);
  markLost('/no/such/folder/a.log', T0); // nothing to say it in
});

test('up to its limit a log is left alone', (t) => {
  const { log, write, text, close } = begin(t);
  write('x'.repeat(1000 - START_LINE.length));
  log.bound(1000);
  assert.equal(text().length, 1000);
  close();
});

test('beyond the limit the middle is cut out: head and tail stay, and the mark says how much is missing', (t) => {
  const { log, write, text, close } = begin(t);
  const output = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('');
  write(output);
  log.bound(2000);
  const whole = START_LINE + output;
  const [head, missing, tail] = text().split(/\n--- (\d+) bytes left out \(log_max_bytes 2000\) ---\n/);
  assert.equal(head, whole.slice(0, 1000));
  assert.equal(tail, whole.slice(-1000));
  assert.equal(Number(missing), whole.length - 2000);
  close();
});

test('cut again and again, it counts all that is missing and ends with the newest', (t) => {
  const { log, write, text, close } = begin(t);
  let whole = START_LINE;
  for (let round = 0; round < 20; round++) {
    const output = `round ${round} ${'x'.repeat(997)}\n`;
    whole += output;
    write(output);
    log.bound(2000);
  }
  const [head, missing, tail] = text().split(/\n--- (\d+) bytes left out \(log_max_bytes 2000\) ---\n/);
  assert.deepEqual([head, tail], [whole.slice(0, 1000), whole.slice(-1000)]);
  assert.equal(Number(missing), whole.length - 2000);
  close();
});

test('what is written after a cut follows the tail', (t) => {
  const { log, write, text, close } = begin(t);
  const job = fs.openSync(`/proc/self/fd/${log.fd}`, 'a'); // as inherited: it appends
  fs.writeSync(job, 'x'.repeat(5000));
  log.bound(2000);
  fs.writeSync(job, 'and on\n');
  fs.closeSync(job);
  write('more\n');
  close();
  assert.ok(text().endsWith(`xand on\nmore\n${END_LINE}`));
});

test('while a job writes, the log may outgrow its limit by the slack before it is cut', (t) => {
  const { log, write, text, close } = begin(t);
  write('x'.repeat(2500));
  log.bound(2000, 2000);
  assert.equal(text().length, START_LINE.length + 2500);
  write('x'.repeat(2500));
  log.bound(2000, 2000);
  assert.ok(text().length < 2100);
  close();
});

test('the log of an attempt that has ended can be cut too, and once more without miscounting', (t) => {
  const { file, write, text, close } = begin(t);
  const output = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('');
  write(output);
  close();
  const whole = START_LINE + output + END_LINE;
  for (const limit of [100_000, 4000, 2000]) cutLog(file, limit);
  const [head, missing, tail] = text().split(/\n--- (\d+) bytes left out \(log_max_bytes 2000\) ---\n/);
  assert.deepEqual([head, tail], [whole.slice(0, 1000), whole.slice(-1000)]);
  assert.equal(Number(missing), whole.length - 2000);
});

test('the last line with something in it explains a failure, without colours', (t) => {
  const { log, write, close } = begin(t);
  assert.equal(log.lastLine(), null);
  write('one\n');
  assert.equal(log.lastLine(), 'one');
  write('  \u001b[31mconvert:\u001b[0m no\tsuch file\r\n\n   \n');
  assert.equal(log.lastLine(), 'convert: no such file');
  write('y'.repeat(10_000));
  assert.equal(log.lastLine(), 'y'.repeat(200));
  close();
});

test('removed logs are gone, and one that is gone already is no error', (t) => {
  const { file, close } = begin(t);
  close();
  removeLogs([file, file, '/no/such/log']);
  assert.equal(fs.existsSync(file), false);
});
