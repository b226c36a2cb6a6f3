// What a user gives is stored and run to the byte: no quoting, no shell and no table gets in the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExecutable } from '../support/program.ts';
import { newQueue } from './support.ts';

const NASTY = [
  `it's "quoted" \`id\` \\ \\n`,
  `$HOME \${HOME} $(id) !! %s %% *?[a-z] ~ # & | ; < >`,
  'line one\nline two\r\n\ttabbed\n',
  ' leading and trailing ',
  '🦊 é 漢字 \u202e עברית',
  "'; DROP TABLE jobs; --",
  '{"command":"not json"}',
  '--help',
  '-',
  '@file',
  '',
];
/** Node reads them among all arguments. Only the launcher can hide them. */
const CONFIG_FILE_OPTIONS = [
  '--experimental-config-file=x',
  '--experimental-config-file',
  '--experimental-default-config-file',
];
const LARGE = '0123456789abcde\n'.repeat(6_400); // 100 KB

test('an argument list reaches the program unchanged', async (t) => {
  const queue = newQueue(t);
  const args = ['printf', '[%s]\\n', ...NASTY];
  const id = await queue.enqueueAsProgram('--', ...args);
  assert.deepEqual((await queue.show(id)).command, args);
  const { code, bytes } = await queue.run(['run', '--', ...args]);
  assert.equal(code, 0);
  assert.equal(bytes.toString(), NASTY.map((arg) => `[${arg}]\n`).join(''));
});

test("Node's own options are parsed as queuectl's or the job's", async (t) => {
  const queue = newQueue(t);
  const options = [
    '--env-file=.env',
    '--env-file-if-exists=.env',
    ...(isExecutable() ? [] : CONFIG_FILE_OPTIONS),
    '--inspect-brk',
    '--v8-options',
    '=',
    '=x',
  ];
  queue.write('.env', 'NODE_ENV=taken\n');
  for (const option of options) {
    const id = await queue.enqueueAsProgram('--', 'prog', option, '', 'a b', '*');
    assert.deepEqual((await queue.show(id)).command, ['prog', option, '', 'a b', '*']);
    const rejection = await queue.rejectedAsProgram(2, ['enqueue', option, 'true', 'x']);
    const expected = option.startsWith('=') ? /several words/ : `unknown option '${option.split('=')[0]}'`;
    assert.ok(expected instanceof RegExp ? expected.test(rejection) : rejection.includes(expected), rejection);
  }
  const { stdout } = await queue.run(['run', '--', 'printf', '%s\n', ...options]);
  assert.deepEqual(stdout.trimEnd().split('\n'), options);
  const words = await queue.rejectedAsProgram(2, ['=', '=x']);
  assert.match(words, /unknown command '='/);
});

test('a shell command is stored and run unchanged', async (t) => {
  const queue = newQueue(t);
  const command = `printf '%s\\n' "it's" '"$HOME"' "$((6 * 7))" '🦊' 'two\nlines' \`echo back\` # a remark\necho next`;
  const id = await queue.enqueueAsProgram(command);
  assert.equal((await queue.show(id)).command, command);
  const { bytes } = await queue.run(['run', command]);
  assert.equal(bytes.toString(), `it's\n"$HOME"\n42\n🦊\ntwo\nlines\nback\nnext\n`);
});

test('100 KB of text pass through a command, an argument and a variable', async (t) => {
  const queue = newQueue(t);
  const inShell = await queue.run(['run', `printf %s '${LARGE}'`]);
  const asArgument = await queue.run(['run', '--', 'printf', '%s', LARGE]);
  const asVariable = await queue.run(['run', '-e', `TEXT=${LARGE}`, 'printf %s "$TEXT"']);
  const asJson = await queue.run(['run', JSON.stringify({ command: ['printf', '%s', LARGE] })]);
  for (const { code, bytes } of [inShell, asArgument, asVariable, asJson]) {
    assert.equal(code, 0);
    assert.ok(bytes.equals(Buffer.from(LARGE)));
  }
});

test('text that no program can receive is rejected at enqueue', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('jobs.json', JSON.stringify({ command: 'x'.repeat(140_000) }));
  assert.match(await queue.rejected(2, ['enqueue', `@${file}`]), /'command' is longer than the 131071 bytes/);
});

test('variables reach the job unchanged, and only their names are shown', async (t) => {
  const queue = newQueue(t);
  const values = NASTY.map((value, i) => [`V${i}`, value] as const);
  const flags = values.flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const command = `printf '[%s]' ${values.map(([name]) => `"$${name}"`).join(' ')}; echo`;
  const { bytes } = await queue.run(['run', '--id', 'a', ...flags, command]);
  assert.equal(bytes.toString(), `${NASTY.map((value) => `[${value}]`).join('')}\n`);

  const hidden = Object.fromEntries(values.map(([name]) => [name, '***']));
  assert.deepEqual((await queue.show('a')).env, hidden);
  assert.deepEqual((await queue.jobs())[0]?.env, hidden);
  assert.deepEqual((await queue.json('show', 'a', '--show-env')).env, Object.fromEntries(values));
  assert.doesNotMatch(await queue.text('show', 'a'), /DROP TABLE jobs/);
});

test('bytes that are not valid text are printed as the job wrote them', async (t) => {
  const queue = newQueue(t);
  const { bytes } = await queue.run(['run', '--id', 'a', "printf '\\377\\000\\001\\n\\200\\n'"]);
  const written = Buffer.from([0xff, 0, 1, 10, 0x80, 10]);
  assert.ok(bytes.equals(written));
  assert.ok((await queue.run(['logs', 'a'])).bytes.includes(written));
});

test('output that looks like log markers is output', async (t) => {
  const queue = newQueue(t);
  const lines = '--- START x\n--- END x ---\n--- END 2026-01-01T00:00:00.000Z rc=0 ---\n';
  const { stdout } = await queue.run(['run', `printf '${lines.replaceAll('-', '\\055')}'`]);
  assert.equal(stdout, lines);
});

test('an ID may contain every allowed character', async (t) => {
  const queue = newQueue(t);
  const ids = ['Az09._:-', '...', '.x', '-x', '--help', 'a'.repeat(128), 'x.1', 'x', 'X'];
  for (const id of ids) await queue.text('enqueue', '--max-retries', '0', `--id=${id}`, `echo "$QUEUECTL_JOB_ID"`);
  await queue.drain();
  for (const id of ids) {
    const { stdout } = await queue.run(['logs', '--', id]);
    assert.equal(stdout.split('\n')[1], id);
  }
});

test('a job runs where it was enqueued, or in its given directory', async (t) => {
  const queue = newQueue(t);
  assert.equal((await queue.run(['run', 'pwd'])).stdout, `${queue.folder}\n`);
  assert.equal((await queue.run(['run', '--cwd', '/', 'pwd'])).stdout, '/\n');
  assert.equal(
    (await queue.run(['run', '--cwd', '..', '-e', 'A=1', 'pwd'], { cwd: queue.home })).stdout,
    `${queue.folder}\n`,
  );
});

test('a job knows its ID, attempt, queue, worker and database', async (t) => {
  const queue = newQueue(t);
  const names = ['JOB_ID', 'ATTEMPT', 'QUEUE', 'DB', 'WORKER_ID'];
  const command = `printf '%s\\n' ${names.map((name) => `"$QUEUECTL_${name}"`).join(' ')}`;
  const { stdout } = await queue.run(['run', '--id', 'a', '--queue', 'mail', command]);
  const [job, attempt, name, db, worker] = stdout.split('\n');
  assert.deepEqual([job, attempt, name, db], ['a', '1', 'mail', queue.db]);
  assert.match(worker ?? '', /^w\w+$/);
});
