// A flood of output: the log stays within its limit while the job writes, and keeps head and tail.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Fleet, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const LIMIT = 65_536;

test('a flood is cut in the middle while it arrives, with head and tail kept', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: LIMIT });
  const flood =
    'echo first; i=0; until [ -e end ]; do i=$((i + 1)); echo "line $i of a flood of lines"; done; echo last';
  await fleet.add({ id: 'a', command: flood });
  await fleet.worker();
  await fleet.untilState('a', 'processing');
  const missing = new Set<number>();
  await until('it was cut three times while it grew', async () => {
    const cut = /\n--- (\d+) bytes left out/.exec(await fleet.log('a'))?.[1];
    if (cut) missing.add(Number(cut));
    return missing.size >= 3;
  });
  assert.deepEqual(
    [...missing],
    [...missing].toSorted((a, b) => a - b),
    'what is missing adds up',
  );
  assert.ok(sizeOfLogs(fleet) < 2 * LIMIT);
  await fleet.cli.sh('touch end');
  await fleet.untilState('a', 'completed');

  const text = await fleet.log('a');
  assert.ok(text.length < LIMIT + 300, `${text.length} bytes in the end`);
  assert.match(text, /^--- START [^\n]+ ---\nfirst\nline 1 of a flood of lines\nline 2 /);
  assert.match(text, / of a flood of lines\nlast\n--- END \S+Z rc=0 ---\n$/);
  assert.equal(text.match(/bytes left out/g)?.length, 1);
  expectInOrder(text);
});

/** No line of head or tail is missing, truncated or misplaced. */
function expectInOrder(text: string): void {
  for (const part of text.split(/\n--- \d+ bytes left out .*\n/)) {
    const numbers = [...part.matchAll(/^line (\d+) of a flood of lines$/gm)].map((match) => Number(match[1]));
    assert.ok(numbers.length > 100);
    assert.ok(numbers.every((n, i) => i === 0 || n === (numbers[i - 1] ?? 0) + 1));
  }
}

const journalsOf = ({ queue }: Fleet): string[] =>
  fs.readdirSync(queue.place.logs).filter((name) => name.includes('~'));

function sizeOfLogs(fleet: Fleet): number {
  const folder = fleet.queue.place.logs;
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const sizes = files.map((file) => fs.statSync(path.join(folder, file), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('a short flood is cut when the attempt ends', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: 1024 });
  await fleet.add({ id: 'a', command: 'echo first; yes x | head -n 100000; echo last' });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  const text = await fleet.log('a');
  assert.ok(text.length < 1300, `${text.length} bytes`);
  assert.match(text, /\nfirst\nx\n.*bytes left out \(log_max_bytes\).*x\nlast\n--- END/s);
});

test('a running worker applies a changed output limit', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({
    id: 'a',
    command: 'until [ -e end ]; do echo "a line of a flood of lines"; sleep 0.001; done',
  });
  await fleet.worker();
  await until('it writes', () => sizeOfLogs(fleet) > 3000);
  await fleet.cli.text('config', 'set', 'log_max_bytes', '1024');
  await until('it is cut', async () => (await fleet.log('a')).includes('bytes left out'));
  await fleet.cli.sh('touch end');
  await fleet.untilState('a', 'completed');
  assert.ok((await fleet.output('a')).length <= 1024);
});

test('output through a reopened /dev/stderr is captured', async (t) => {
  const fleet = await newFleet(t);
  const command = 'echo one; echo two > /dev/stderr; sleep 0.1; echo three > /dev/stdout; echo four';
  await fleet.add({ id: 'a', command });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  assert.equal(await fleet.output('a'), 'one\ntwo\nthree\nfour');
});

test('a remaining child adds nothing to the log of a finished job', async (t) => {
  const fleet = await newFleet(t);
  const child = 'setsid sh -c "echo $$; until [ -e end ]; do echo more; done; echo done > ended" & exec sleep 0.1';
  await fleet.add({ id: 'a', command: `echo mine; ${child}` });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  const text = await fleet.log('a');
  assert.match(text, /\nmine\n/);
  await until('its journal is gone', () => journalsOf(fleet).length === 0);
  const size = sizeOfLogs(fleet);
  await fleet.add({ id: 'b', command: 'sleep 1.5' });
  await fleet.untilState('b', 'completed');
  assert.deepEqual([await fleet.log('a'), sizeOfLogs(fleet)], [text, size]);
  await fleet.cli.sh('touch end');
  await fleet.untilLines('ended', 1); // not blocked by an unread pipe
});

test('output that looks like START or END lines is treated as output', async (t) => {
  const fleet = await newFleet(t);
  const forged = '--- END 2026-01-01T00:00:00.000Z rc=0 ---';
  await fleet.add({ id: 'a', command: `echo "${forged}"; echo "${forged}"`, max_retries: 0 });
  await fleet.add({ id: 'silent', command: 'exit 3', max_retries: 0 });
  await fleet.worker();
  assert.equal((await fleet.untilFinal('silent')).lastError, 'exit code 3');
  assert.equal(await fleet.output('a'), `${forged}\n${forged}`);
});

test('output received by a killed worker is kept, and the log reports the loss', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: LIMIT });
  const command = 'if [ $QUEUECTL_ATTEMPT = 1 ] && ! [ -e again ]; then touch again; seq 1 60000; sleep 60; fi';
  await fleet.add({ id: 'a', command }, { id: 'b', command: 'echo small; exec sleep 60' });
  const worker = await fleet.worker('--concurrency', '2');
  for (const id of ['a', 'b']) await fleet.untilState(id, 'processing');
  await until('it is received', async () => (await fleet.log('a')).includes('\n60000\n'));
  await until('this too', async () => (await fleet.log('b')).includes('small\n'));
  worker.kill('SIGKILL');
  const next = await fleet.worker();
  await fleet.untilState('a', 'completed');
  const text = await fleet.log('a', 1);
  assert.match(text, /^--- START [^\n]*\n1\n2\n.*bytes left out.*\n59999\n60000\n--- END \S+ worker lost ---\n$/s);
  assert.match(await fleet.log('b', 1), /^--- START .*\nsmall\n--- END \S+ worker lost ---\n$/);
  const left = fs.readdirSync(fleet.queue.place.logs).filter((name) => name.includes('~'));
  assert.deepEqual(
    left.filter((name) => name.startsWith('a.1.')),
    [],
  );
  next.kill('SIGINT');
});

test('a job survives its killed worker, and the next worker sends it TERM', async (t) => {
  const fleet = await newFleet(t);
  const command = 'trap "echo cleaned >> trace; exit 1" TERM; echo up >> trace; while :; do echo out; sleep 0.01; done';
  await fleet.add({ id: 'a', command });
  const worker = await fleet.worker();
  await fleet.untilLines('trace', 1);
  worker.kill('SIGKILL');
  const written = async (): Promise<number> => (await fleet.log('a', 1)).length;
  const before = await written();
  await fleet.cli.sh('sleep 0.3');
  assert.equal(fleet.lines('trace').length, 1, 'it was not killed for writing to nobody');
  assert.ok((await written()) >= before);
  const next = await fleet.worker();
  assert.deepEqual((await fleet.untilLines('trace', 2)).slice(0, 2), ['up', 'cleaned']);
  next.kill('SIGINT');
});

test('binary output is kept unchanged', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); echo "$i é 🦊"; done' });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  const expected = Array.from({ length: 20_000 }, (_, i) => `${i + 1} é 🦊`).join('\n');
  assert.ok((await fleet.output('a')) === expected);
});
