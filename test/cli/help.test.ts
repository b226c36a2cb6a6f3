// Help: grouped by what people want, examples first, on one screen; and a nudge for what was mistyped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCommands } from '../../src/cli/registry.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { newQueue, TestQueue } from './support.ts';

const ROWS = 55;
/** It has a line for each command. */
const OVERVIEW_ROWS = 60;
const COLUMNS = 80;

/** The help of every command by its name, as the overview and the help of each group list them; asked for once. */
const helpOfAll = once(async (): Promise<Map<string, string>> => {
  const queue = new TestQueue(newFolder());
  try {
    const helps = await helpsOn(queue);
    assert.deepEqual(queue.files(), [], 'help needs no queue');
    return helps;
  } finally {
    removeFolder(queue.folder);
  }
});

async function helpsOn(queue: TestQueue): Promise<Map<string, string>> {
  const overview = await queue.text('--help');
  const entries = [...overview.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map((match) => match[1] ?? '');
  const helps = new Map<string, string>();
  for (const entry of entries) {
    const help = await queue.text(entry, '--help');
    const verbs = [...help.matchAll(/^ {2}queuectl ([a-z-]+ [a-z-]+) {2,}/gm)].map((match) => match[1] ?? '');
    if (help.includes('\nUsage\n')) helps.set(entry, help);
    else for (const name of verbs) helps.set(name, await queue.text(...name.split(' '), '--help'));
  }
  return helps;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

const widest = (text: string): string => text.split('\n').reduce((a, b) => (b.length > a.length ? b : a));

test('the overview starts with examples and lists the commands by task', async (t) => {
  const queue = newQueue(t);
  const overview = await queue.text('--help');
  assert.match(
    overview,
    /queuectl enqueue 'make thumbnails'[\s\S]*\nRun jobs\n[\s\S]*\nInspect jobs\n[\s\S]*\nRepair[\s\S]*\nSet up\n/,
  );
  assert.equal(await queue.text('-h'), overview);
  assert.equal(await queue.text('help'), overview);
  assert.equal(await queue.text(), overview);
  assert.ok(overview.trimEnd().split('\n').length <= OVERVIEW_ROWS);
  assert.deepEqual(queue.files(), [], 'help needs no queue');
});

test('every command of the contract is in the overview', async () => {
  const names = [...(await helpOfAll()).keys()];
  const promised =
    'enqueue,run,worker start,worker run,worker stop,worker list,status,list,show,logs,retry,cancel,hold,release,run-now,edit,move,delete,dlq list,' +
    'dlq show,dlq retry,dlq purge,config list,config get,config set,config unset,metrics,wait,prune,reset,init,migrate,' +
    'doctor,demo,schedule add,schedule list,schedule show,schedule edit,schedule pause,schedule resume,' +
    'schedule run,schedule next,schedule delete,schedule import';
  for (const name of promised.split(',')) assert.ok(names.includes(name), name);
});

test('the help of every command shows examples, usage and options on one screen', async () => {
  for (const [name, help] of await helpOfAll()) {
    assert.match(help, /\nExamples\n {2}\S[\s\S]*\nUsage\n {2}queuectl [\s\S]*\nOptions\n {2}-/, name);
    assert.ok(help.split('\n').length <= ROWS, `${name} has ${help.split('\n').length} lines`);
    assert.ok(help.includes(`queuectl ${name}`), name);
  }
});

test('the help of every command fits 80 columns', async (t) => {
  const queue = newQueue(t);
  const helps = new Map(await helpOfAll()).set('the overview', await queue.text('--help'));
  for (const [name, help] of helps) {
    const line = widest(help);
    assert.ok(line.length <= COLUMNS, `${name}: ${line}`);
  }
});

test('advanced options are named in the help and explained by their topic', async (t) => {
  const queue = newQueue(t);
  const help = await queue.text('enqueue', '--help');
  assert.match(help, /\n {2}workflow +--name --group /);
  assert.doesNotMatch(help, /--after JOB/);
  const flow = await queue.text('enqueue', '--help', 'flow');
  assert.match(flow, /\n {2}--after JOB +run after this job/);
  assert.equal(await queue.text('enqueue', '--help', 'workflow'), flow);
  assert.equal(await queue.text('enqueue', '--help', 'nothing'), help);
});

test('help COMMAND prints the manual page of the command', async (t) => {
  const queue = newQueue(t);
  const page = await queue.text('help', 'enqueue');
  assert.match(page, /^NAME\n {4}queuectl-enqueue - add a job to the queue\n\nSYNOPSIS\n/);
  assert.match(page, /\n {4}--after JOB\n {8}Run after this job/, 'with the options of every topic');
  assert.match(page, /\n {4}Enqueue a shell command:\n\n {8}queuectl enqueue 'make thumbnails'\n/);
  assert.equal(await queue.text('help', 'add'), page);
  assert.match(await queue.text('help', 'dlq', 'retry'), /SEE ALSO\n {4}queuectl\(1\),.* queuectl-dlq-list\(1\)/);
});

test('help GROUP lists the commands of the group', async (t) => {
  assert.match(await newQueue(t).text('help', 'dlq'), /queuectl dlq list/);
});

test('help TOPIC prints settings, job fields, filters, concepts, variables or exit codes', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.text('help', 'settings'), /\n {4}max_retries\n {8}Number of automatic retries/);
  assert.match(await queue.text('help', 'fields'), /\n {4}priority\n {8}/);
  assert.match(await queue.text('help', 'filters'), /\n {4}state:\n {8}/);
  assert.match(await queue.text('help', 'concepts'), /\n {4}slot\n {8}/);
  assert.match(await queue.text('help', 'environment'), /\n {4}QUEUECTL_JOB_ID\n {8}/);
  assert.match(await queue.text('help', 'exit', 'codes'), /\n {4}124\n {8}Wait timed out\./);
});

test('help for an unknown word names the nearest command, or the topics', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['help', 'enqueu']), /unknown command 'enqueu'.*\n.*did you mean/);
  assert.match(await queue.rejected(2, ['help', 'xyzzy']), /topics of queuectl help: settings, fields/);
});

test('a large group is one line of the overview with its verbs', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.text('--help'), /^ {2}schedule +timed jobs: add, list, show, /m);
});

test('a group without a verb lists its verbs', async (t) => {
  const queue = newQueue(t);
  for (const group of ['worker', 'dlq', 'config']) {
    const help = await queue.text(group);
    assert.match(help, new RegExp(`queuectl ${group} list `));
    assert.equal(await queue.text(group, '--help'), help);
  }
});

test('a mistyped command is answered with the nearest command', async (t) => {
  const queue = newQueue(t);
  for (const [given, meant] of [
    ['statu', 'status'],
    ['enqeue', 'enqueue'],
    ['worker strat', 'worker start'],
    ['dlq lst', 'dlq list'],
    ['ad', 'add'],
    ['wrker', 'worker'],
  ] as const) {
    const rejection = await queue.rejected(2, given.split(' '));
    assert.match(rejection, new RegExp(`unknown command '${given}'\\n hint: did you mean 'queuectl ${meant}'\\?`));
  }
  assert.match(
    await queue.rejected(2, ['frobnicate']),
    /unknown command 'frobnicate'\n hint: list the commands: queuectl --help/,
  );
  assert.match(await queue.rejected(2, ['constructor']), /unknown command 'constructor'/);
});

test('a mistyped option is answered with the nearest option', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['list', '--sate', 'dead']), /unknown option '--sate'\n.*'--state'/);
  assert.match(await queue.rejected(2, ['status', '--jsn']), /unknown option '--jsn'\n.*'--json'/);
  assert.match(
    await queue.rejected(2, ['list', '-z']),
    /unknown option '-z'\n hint: list the options: queuectl list --help/,
  );
  assert.match(await queue.rejected(2, ['list', '--limit']), /--limit requires a value: --limit N/);
  assert.match(await queue.rejected(2, ['status', 'now']), /unexpected argument 'now'/);
});

test('an unknown option without a command is rejected', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['--jsn']), /unknown option '--jsn'/);
});

test('--version prints version, commit and kind of installation', async (t) => {
  const queue = newQueue(t);
  assert.match(
    await queue.text('--version'),
    /^queuectl \d+\.\d+\.\d+ \((commit [0-9a-f]{7}, )?(clone|npm|executable)\)\n$/,
  );
  const { version, commit, installation } = await queue.json<Record<string, string | null>>('--version');
  assert.match(version ?? '', /^\d+\.\d+\.\d+$/);
  assert.match(commit ?? '0'.repeat(40), /^[0-9a-f]{40}$/);
  assert.match(installation ?? '', /^(clone|npm|executable)$/);
});

test('options may come before the command and between or after its arguments', async (t) => {
  const queue = newQueue(t);
  const db = `--db=${queue.folder}/other.db`;
  await queue.text(db, 'enqueue', '--id', 'a', 'true');
  await queue.text('--db', `${queue.folder}/other.db`, 'enqueue', 'true', '--id', 'b');
  assert.equal(JSON.parse(await queue.text('--json', 'list', db)).length, 2);
  assert.deepEqual(await queue.jobs(), []);
});

test('a command offers --server in its help only if it supports a server', async () => {
  const commands = new Map((await allCommands()).map((command) => [command.name, command]));
  for (const [name, help] of await helpOfAll())
    assert.equal(help.includes('--server URL'), commands.get(name)?.localOnly === undefined, name);
});
