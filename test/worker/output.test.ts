// A flood of output: the log stays within bounds while the job writes, and keeps its beginning and its end.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const LIMIT = 65_536;

test('a flood is cut in the middle while it comes, with head and tail kept', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: LIMIT });
  const flood =
    'echo first; i=0; until [ -e end ]; do i=$((i + 1)); echo "line $i of a flood of lines"; done; echo last';
  await fleet.add({ id: 'a', command: flood });
  await fleet.worker();
  await fleet.untilState('a', 'processing');
  const log = String((await fleet.history('a'))[0]?.logPath);
  await until('it writes', () => fs.existsSync(log));
  const cuts = new Set<string>();
  await until('it was cut three times while it grew', () => {
    const cut = /\n--- (\d+) bytes left out/.exec(fs.readFileSync(log, 'utf8').slice(0, LIMIT))?.[1];
    if (cut) cuts.add(cut);
    return cuts.size >= 3;
  });
  const sizes = [...cuts].map(Number);
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => a - b),
    'what is missing adds up',
  );
  await fleet.cli.sh('touch end');
  await fleet.untilState('a', 'completed');

  const text = await fleet.log('a');
  assert.ok(text.length < LIMIT + 300, `${text.length} bytes in the end`);
  assert.match(text, /^--- START [^\n]+ ---\nfirst\nline 1 of a flood of lines\nline 2 /);
  assert.match(text, / of a flood of lines\nlast\n--- END \S+Z rc=0 ---\n$/);
  assert.equal(text.match(/bytes left out/g)?.length, 1);
});

test('a short flood is cut when the attempt ends', async (t) => {
  const fleet = await newFleet(t, { log_max_bytes: 1024 });
  await fleet.add({ id: 'a', command: 'echo first; yes x | head -n 100000; echo last' });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  const text = await fleet.log('a');
  assert.ok(text.length < 1300, `${text.length} bytes`);
  assert.match(text, /\nfirst\nx\n.*bytes left out \(log_max_bytes 1024\).*x\nlast\n--- END/s);
});

test('a limit set while a job writes is kept by the worker that runs it', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({
    id: 'a',
    command: 'until [ -e end ]; do echo "a line of a flood of lines"; sleep 0.001; done',
  });
  await fleet.worker();
  await fleet.untilState('a', 'processing');
  await fleet.cli.text('config', 'set', 'log_max_bytes', '1024');
  const log = String((await fleet.history('a'))[0]?.logPath);
  await until('it writes', () => fs.existsSync(log));
  await until('it is cut', () => fs.readFileSync(log, 'utf8').includes('bytes left out'));
  await fleet.cli.sh('touch end');
  await fleet.untilState('a', 'completed');
});

test('output of many bytes arrives byte by byte as it was written', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); echo "$i é 🦊"; done' });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  const expected = Array.from({ length: 20_000 }, (_, i) => `${i + 1} é 🦊`).join('\n');
  assert.ok((await fleet.output('a')) === expected);
});
