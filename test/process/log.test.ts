// The log of an attempt: which output is kept, where, and how it is recorded.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { OutputRecord } from '../../src/job/output/output.ts';
import { availableIn, readJournal, removeJournal } from '../../src/process/output/journal-files.ts';
import { AttemptLog } from '../../src/process/output/log.ts';
import { readLog, removeLogs } from '../../src/process/output/log-file.ts';
import { endLine, howItEnded, startLine } from '../../src/process/output/log-lines.ts';
import { temporaryFolder } from '../support/folder.ts';
import { endings, T0 } from '../support/jobs.ts';

const LINES = {
  start: startLine({ number: 2, run: 2, command: 'make all', startedAt: T0 }),
  end: endLine({ at: T0 + 1000, how: 'rc=0' }),
};
const LIMIT = 20_000;

function begin(t: TestContext, { lasting = true, limit = (): number => LIMIT } = {}) {
  const file = path.join(temporaryFolder(t), 'logs', 'a.2.log');
  let now = T0;
  const log = new AttemptLog({ path: file, limit, now: () => now });
  if (lasting) log.lasts();
  t.after(() => log.close());
  const write = (text: string, at = T0): void => {
    now = at;
    log.add(Buffer.from(text));
  };
  return { log, file, write, files: () => fs.readdirSync(path.dirname(file)).sort() };
}

/** Returns everything that a reader gets, and the number of bytes reported as missing. */
function readAll(read: (from: number, length: number) => { from: number; data: Buffer } | null) {
  const found: Buffer[] = [];
  let missing = 0;
  for (let at = 0; ; ) {
    const part = read(at, 1000);
    if (!part || part.data.length === 0) return { text: Buffer.concat(found).toString(), missing };
    missing += part.from - at;
    found.push(part.data);
    at = part.from + part.data.length;
  }
}

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('');

test('small output goes to the store and leaves no file', (t) => {
  const { log, write, file } = begin(t, { lasting: false });
  write('one\n');
  write('two\n');
  const { part, logPath, record } = log.finish(() => LINES);
  assert.deepEqual([part, logPath], [{ from: 0, data: Buffer.from('one\ntwo\n') }, null]);
  assert.deepEqual([record.bytes, record.head, record.tail], [8, 8, 0]);
  assert.equal(fs.existsSync(path.dirname(file)), false);
});

test('output of a longer job is on disk as soon as it is received, until it is recorded', (t) => {
  const { log, write, file, files } = begin(t);
  write('one\n');
  assert.deepEqual(
    readAll((...at) => readJournal(file, ...at)),
    { text: 'one\n', missing: 0 },
  );
  assert.equal(log.finish(() => LINES).logPath, null);
  assert.ok(files().length > 0, 'it stays until the store has it');
  removeJournal(file);
  assert.deepEqual(files(), []);
});

test('larger output is in a file between START and END lines, and is found by its record', (t) => {
  for (const lasting of [true, false]) {
    const { log, write, file } = begin(t, { lasting });
    const output = `${numbered(0, 1000)}--- END of this\nno newline`;
    write(output);
    const { record, part, logPath } = log.finish(() => LINES);
    assert.deepEqual([part, logPath], [null, file]);
    assert.equal(fs.readFileSync(file, 'utf8'), `${LINES.start}${output}\n${LINES.end}`);
    assert.deepEqual(
      readAll((...at) => readLog(file, record, ...at)),
      { text: output, missing: 0 },
    );
  }
});

test('beyond the limit, head and tail are kept exactly, and the file reports the dropped bytes', (t) => {
  for (const lasting of [true, false]) {
    const { log, write, file } = begin(t, { lasting });
    let whole = '';
    for (let i = 0; i < 60; i++) {
      const some = numbered(i * 100, (i + 1) * 100);
      whole += some;
      write(some);
    }
    const { record } = log.finish(() => LINES);
    const [head, tail] = [whole.slice(0, LIMIT / 2), whole.slice(-LIMIT / 2)];
    const missing = whole.length - LIMIT;
    assert.deepEqual(
      readAll((...at) => readLog(file, record, ...at)),
      { text: head + tail, missing },
    );
    const line = `\n--- ${missing} bytes left out (log_max_bytes) ---\n`;
    assert.equal(fs.readFileSync(file, 'utf8'), `${LINES.start}${head}${line}${tail}${LINES.end}`);
    assert.equal(record.bytes, whole.length);
  }
});

test('a flood takes one and a half times the limit on disk and stays readable', (t) => {
  const { write, file, files } = begin(t);
  const size = (): number =>
    files()
      .filter((name) => !name.endsWith('stamps'))
      .reduce((sum, name) => sum + fs.statSync(path.join(path.dirname(file), name)).size, 0);
  let whole = '';
  for (let i = 0; i < 500; i++) {
    const some = `${String(i).repeat(100)}\n`;
    whole += some;
    write(some);
    assert.ok(size() <= LIMIT * 1.5 + 100, `${size()} bytes`);
  }
  const { text, missing } = readAll((...at) => readJournal(file, ...at));
  assert.equal(text.slice(0, LIMIT / 2), whole.slice(0, LIMIT / 2));
  assert.ok(whole.endsWith(text.slice(LIMIT / 2)) && text.length >= LIMIT);
  assert.equal(text.length + missing, whole.length);
  assert.equal(availableIn(file)?.bytes, whole.length);
});

test('a limit below the maximum size for the store is respected', (t) => {
  for (const lasting of [true, false]) {
    const { log, write, file } = begin(t, { lasting, limit: () => 1024 });
    const whole = numbered(0, 300);
    write(whole);
    const { record } = log.finish(() => LINES);
    const { text } = readAll((...at) => readLog(file, record, ...at));
    assert.equal(text, whole.slice(0, 512) + whole.slice(-512));
  }
});

test('the final value of a changing limit counts', (t) => {
  let limit = 50_000;
  const { log, write, file } = begin(t, { limit: () => limit });
  const whole = numbered(0, 4000);
  write(whole);
  limit = 10_000;
  const { record } = log.finish(() => LINES);
  const { text } = readAll((...at) => readLog(file, record, ...at));
  assert.equal(text, whole.slice(0, 5000) + whole.slice(-5000));
});

test('only stamps of kept bytes are recorded', (t) => {
  const { log, write } = begin(t);
  for (let i = 0; i < 100; i++) write(`${'x'.repeat(999)}\n`, T0 + i * 1000);
  const { stamps, bytes, tail } = log.finish(() => LINES).record;
  assert.deepEqual(stamps[0], { at: 0, ms: T0, stream: 0 });
  assert.deepEqual(stamps.at(-1), { at: 99_000, ms: T0 + 99_000, stream: 0 });
  assert.ok(stamps.every(({ at }) => at < 10_000 || at >= bytes - tail));
});

test('a missing directory is created, and only its owner can read the log', (t) => {
  const { log, write, file } = begin(t);
  write('x'.repeat(5000));
  log.finish(() => LINES);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(fs.statSync(`${file}~`).mode & 0o777, 0o600);
  assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
});

test('an existing file is not overwritten, and the end of the output is kept', (t) => {
  const { log, write, file } = begin(t);
  fs.mkdirSync(path.dirname(file));
  for (const name of [file, `${file}~`]) fs.writeFileSync(name, 'not yours');
  write(`${numbered(0, 1000)}the last line\n`);
  const { part, logPath } = log.finish(() => LINES);
  assert.equal(logPath, null);
  assert.ok(String(part?.data).endsWith('the last line\n'));
  for (const name of [file, `${file}~`]) assert.equal(fs.readFileSync(name, 'utf8'), 'not yours');
});

test('the END line gives the reason for the ending', () => {
  const words = Object.values(endings).map(howItEnded);
  assert.deepEqual(words, [
    'rc=0',
    'rc=7',
    'rc=75',
    'signal=SIGSEGV',
    'timeout',
    'limit',
    'not started',
    'malformed',
    'rejected',
    'cancelled',
    'released',
    'worker lost',
  ]);
});

test('a multi-line command takes one line in the log', () => {
  const line = startLine({ number: 1, run: 1, command: ['printf', 'a\nb'], startedAt: T0 });
  assert.equal(line, '--- START 2026-03-02T10:00:00.000Z attempt=1 command=["printf","a\\nb"] ---\n');
});

test('the last non-blank line, without colours, explains a failure', (t) => {
  const { log, write } = begin(t);
  assert.equal(log.lastLine(), null);
  write('one\n');
  assert.equal(log.lastLine(), 'one');
  write('  \u001b[31mconvert:\u001b[0m no\tsuch file\r\n\n   \n');
  assert.equal(log.lastLine(), 'convert: no such file');
  write('y'.repeat(10_000));
  assert.equal(log.lastLine(), 'y'.repeat(200));
});

test('a binary last line is ignored', (t) => {
  const { log } = begin(t);
  for (const bytes of [
    [0xff, 0xfe, 0x41],
    [0x41, 0x00, 0x42],
    [0x1b, 0x5d, 0x30, 0x3b, 0x78, 0x07],
    [0xc2, 0x9b, 0x41],
  ]) {
    log.add(Buffer.concat([Buffer.from('\ntext before\n'), Buffer.from(bytes), Buffer.from('\n')]));
    assert.equal(log.lastLine(), null, String(bytes));
  }
});

test('logs are removed with their journals, and missing ones are ignored', (t) => {
  const { log, write, file, files } = begin(t);
  write('x'.repeat(50_000));
  log.finish(() => LINES);
  removeLogs([file, file, '/no/such/log']);
  assert.deepEqual(files(), []);
});

test('output in chunks of any size is kept completely, or as head and tail', (t) => {
  const read = (file: string, record: OutputRecord) => readAll((...at) => readLog(file, record, ...at));
  for (let seed = 1; seed <= 30; seed++) {
    const { log, write, file } = begin(t, { limit: () => 6000, lasting: seed % 3 > 0 });
    let whole = '';
    for (let i = 0; i < seed; i++) {
      const some = `${i}:${'abcdefghij'.repeat((seed * 37 * (i + 1)) % 90)}\n`;
      whole += some;
      write(some);
    }
    if (whole.length <= 4096) continue;
    const { record } = log.finish(() => LINES);
    const kept = whole.length <= 6000 ? whole : whole.slice(0, 3000) + whole.slice(-3000);
    assert.deepEqual(read(file, record), { text: kept, missing: whole.length - kept.length }, `seed ${seed}`);
  }
});

test('a progress line does not explain a failure', (t) => {
  const { log, write } = begin(t);
  write('convert: no such file\n::progress 40 resizing\n\n::progress 41\n');
  assert.equal(log.lastLine(), 'convert: no such file');
});

test('output with only progress lines explains no failure', (t) => {
  const { log, write } = begin(t);
  write('::progress 40 resizing\n'.repeat(1000));
  assert.equal(log.lastLine(), null);
});
