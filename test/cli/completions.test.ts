// Completion: what is offered at the cursor, and that the scripts hand it on.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer } from '../../src/cli/completion/answer.ts';
import { readLine } from '../../src/cli/completion/line.ts';
import { SCRIPTS, SHELLS } from '../../src/cli/completion/scripts.ts';
import { Values } from '../../src/cli/completion/values.ts';
import { optionsFor } from '../../src/cli/options/options.ts';
import { ALIASES, allCommands } from '../../src/cli/registry.ts';
import { SETTING_KEYS } from '../../src/settings/settings.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runInProcess } from './in-process.ts';

const bin = path.join(import.meta.dirname, '..', '..', 'bin');

/** A queue of the test's own, and nothing of the user's. */
class Shell {
  readonly folder: string;
  readonly db: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(t: TestContext) {
    this.folder = temporaryFolder(t);
    this.db = path.join(this.folder, 'queue.db');
    this.env = { PATH: `${bin}:${process.env.PATH}`, HOME: temporaryFolder(t), QUEUECTL_DB: this.db };
  }

  queuectl(...args: string[]): string {
    return execFileSync('queuectl', args, { cwd: this.folder, env: this.env, encoding: 'utf8' });
  }

  /** The words offered behind this line; a program looks for a database from its folder. */
  async offered(line: string): Promise<string[]> {
    const args = ['__complete', '--', line];
    const text = line.includes('--db')
      ? this.queuectl(...args)
      : (await runInProcess(args, this.env, this.folder)).stdout;
    return text
      .split('\n')
      .filter(Boolean)
      .map((offer) => offer.split('\t')[0] ?? '');
  }

  /** What bash would replace the word at the cursor with, and which of its own lists it would add. */
  bash(line: string): { words: string[]; lists: string[] } {
    const script = `
      compopt() { echo "list $2"; }
      eval "$(queuectl completions bash)"
      COMP_LINE=$1 COMP_POINT=\${#1}
      _queuectl queuectl
      printf 'word %s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '--noprofile', '-c', script, 'bash', line];
    const { stdout, stderr } = spawnSync('bash', args, { cwd: this.folder, env: this.env, encoding: 'utf8' });
    assert.equal(stderr, '');
    const said = (kind: string) =>
      stdout
        .split('\n')
        .filter((text) => text.startsWith(`${kind} `) && text.length > kind.length + 1)
        .map((text) => text.slice(kind.length + 1));
    return { words: said('word'), lists: said('list').filter((list) => list !== 'nosort') };
  }
}

test('a line is parsed as its shell would parse it', () => {
  const lines: [string, string[], string][] = [
    ['queuectl ', [], ''],
    ['queuectl st', [], 'st'],
    ['queuectl show  a b', ['show', 'a'], 'b'],
    ['queuectl --db "my queue.db" show ', ['--db', 'my queue.db', 'show'], ''],
    ["queuectl --db 'it'\\''s.db' show k", ['--db', "it's.db", 'show'], 'k'],
    ['queuectl --db my\\ queue.db show k', ['--db', 'my queue.db', 'show'], 'k'],
    ['queuectl --db ~/q.db show k', ['--db', '/home/me/q.db', 'show'], 'k'],
    ["queuectl --db '~/q.db' show k", ['--db', '~/q.db', 'show'], 'k'],
    ['QUEUECTL_DB=x.db queuectl show ', ['show'], ''],
    ['queuectl enqueue "echo \\"a b', ['enqueue'], 'echo "a b'],
    ['queuectl enqueue \\', ['enqueue'], ''],
    ['queuectl enqueue "\\', ['enqueue'], ''],
    ['', [], ''],
  ];
  for (const [line, before, current] of lines) {
    assert.deepEqual(readLine(line, '/home/me'), { before, current }, line);
  }
});

test('users, tokens and roles are offered', async (t) => {
  const shell = new Shell(t);
  shell.queuectl('token', 'add', 'ci', '--role', 'operator');
  assert.deepEqual(await shell.offered('queuectl token delete '), ['ci']);
  assert.deepEqual(await shell.offered('queuectl user delete '), []);
  assert.deepEqual(await shell.offered('queuectl user add ann --role o'), ['operator']);
});

test('every command, verb and visible option is offered', async (t) => {
  const shell = new Shell(t);
  const commands = await allCommands();
  const firstWords = new Set([...commands.map(({ name }) => name.split(' ')[0]), ...Object.keys(ALIASES)]);
  assert.deepEqual(new Set(await shell.offered('queuectl ')), firstWords);
  assert.deepEqual(await shell.offered('queuectl worker '), ['start', 'run', 'stop', 'list']);
  for (const command of commands) {
    const { name } = command;
    const visible = Object.entries(optionsFor(command)).filter(([, { hidden }]) => !hidden);
    const flags = visible.map(([flag]) => `--${flag}`);
    const offered = await answer(
      readLine(`queuectl ${name} -`, '/'),
      new Values({ db: undefined, server: null }, shell.env),
    );
    assert.ok(Array.isArray(offered));
    assert.deepEqual(new Set(offered.map(({ word }) => word)), new Set(flags), name);
  }
});

test('typed characters narrow the suggestions', async (t) => {
  const shell = new Shell(t);
  assert.deepEqual(await shell.offered('queuectl enq'), ['enqueue']);
  assert.deepEqual(await shell.offered('queuectl --json enq'), ['enqueue']);
  assert.deepEqual(await shell.offered('queuectl help wor'), ['worker']);
  assert.deepEqual(await shell.offered('queuectl --vers'), ['--version']);
  assert.deepEqual(await shell.offered('queuectl dlq ret'), ['retry']);
  assert.deepEqual(await shell.offered('queuectl add --print'), ['--print-id']);
  assert.deepEqual(await shell.offered('queuectl add --id x --id'), [], 'an option that is there already');
  assert.deepEqual(await shell.offered('queuectl add --env A=1 --env'), ['--env'], 'one that may be repeated');
  assert.deepEqual(await shell.offered('queuectl completions '), [...SHELLS]);
  assert.deepEqual(await shell.offered('queuectl nonsense '), []);
});

test('values of options and settings are offered', async (t) => {
  const shell = new Shell(t);
  assert.deepEqual(await shell.offered('queuectl enqueue --backoff-strategy l'), ['linear']);
  assert.deepEqual(await shell.offered('queuectl enqueue --backoff-strategy=l'), ['--backoff-strategy=linear']);
  assert.deepEqual(await shell.offered('queuectl enqueue --priority '), [], 'a number is for the user to choose');
  assert.deepEqual(await shell.offered('queuectl config set '), SETTING_KEYS);
  assert.deepEqual(await shell.offered('queuectl config set backoff_strategy f'), ['fixed']);
  assert.deepEqual(await shell.offered('queuectl config set inherit-environment '), ['auto', 'on', 'off']);
  assert.deepEqual(await shell.offered('queuectl config set constructor '), []);
  assert.deepEqual(await shell.offered('queuectl config get max_retries '), []);
  for (const line of ['enqueue --file ', 'status --db ', 'status --db=', 'enqueue @', 'enqueue -- pro']) {
    assert.deepEqual(await shell.offered(`queuectl ${line}`), ['@files'], line);
  }
  assert.deepEqual(await shell.offered('queuectl enqueue --cwd '), ['@folders']);
});

test('job IDs are offered with a description where a job is expected', async (t) => {
  const shell = new Shell(t);
  shell.queuectl('enqueue', '[{"id":"one","command":"echo 1"},{"id":"two:a","command":"true","queue":"mail"}]');
  shell.queuectl('cancel', 'two:a');
  assert.deepEqual(await shell.offered('queuectl show '), ['two:a', 'one'], 'the newest first');
  assert.deepEqual(await shell.offered('queuectl show o'), ['one']);
  assert.deepEqual(await shell.offered('queuectl logs one '), ['two:a'], 'not the one that is named already');
  assert.deepEqual(await shell.offered('queuectl cancel '), ['one']);
  assert.deepEqual(await shell.offered('queuectl retry '), ['two:a']);
  assert.deepEqual(await shell.offered('queuectl dlq retry '), []);
  assert.deepEqual(await shell.offered('queuectl list --queue m'), ['mail']);
  assert.deepEqual(await shell.offered('queuectl list sta'), ['state:']);
  assert.deepEqual(await shell.offered('queuectl list state:pending,de'), ['state:pending,dead']);
  assert.deepEqual(await shell.offered('queuectl dlq list queue:m'), ['queue:mail']);
  assert.deepEqual(await shell.offered('queuectl cancel --filter sta'), ['state:']);
  assert.deepEqual(await shell.offered('queuectl cancel --filter=queue:'), [
    '--filter=queue:default',
    '--filter=queue:mail',
  ]);
  assert.deepEqual(await shell.offered('queuectl hold '), ['one']);
  assert.equal(shell.queuectl('__complete', '--', 'queuectl show o'), 'one\tpending: echo 1\n');
});

test('groups, names and keys are offered where they are expected', async (t) => {
  const shell = new Shell(t);
  shell.queuectl('enqueue', '--id', 'a1', '--name', 'build', '--group', 'photos', '--key', 'disk', 'true');
  assert.deepEqual(await shell.offered('queuectl group show '), ['photos']);
  assert.deepEqual(await shell.offered('queuectl wait --group '), ['photos']);
  assert.deepEqual(await shell.offered('queuectl list --group=ph'), ['--group=photos']);
  assert.deepEqual(await shell.offered('queuectl enqueue --key '), ['disk']);
  assert.deepEqual(await shell.offered('queuectl enqueue --name b'), ['build']);
  assert.deepEqual(await shell.offered('queuectl enqueue --after '), ['build', 'group:photos', 'a1']);
  assert.deepEqual(await shell.offered('queuectl enqueue --after group:p'), ['group:photos']);
  assert.deepEqual(shell.bash('queuectl enqueue --after group:p').words, ['photos']);
  assert.deepEqual(await shell.offered('queuectl graph '), ['a1', 'group:photos']);
  assert.deepEqual(await shell.offered('queuectl retry group:'), ['group:photos']);
  assert.deepEqual(await shell.offered('queuectl list group:'), ['group:photos']);
  assert.deepEqual(await shell.offered('queuectl hold --filter key:d'), ['key:disk']);
  assert.deepEqual(await shell.offered('queuectl list name:'), ['name:build']);
});

test('an old job of a long queue is found by its prefix', async (t) => {
  const shell = new Shell(t);
  shell.queuectl('enqueue', '--id', 'old', 'true'); // ids that are made up have no o in them
  fs.writeFileSync(path.join(shell.folder, 'many'), 'true\n'.repeat(300));
  shell.queuectl('enqueue', '--lines', '--file', 'many');
  assert.deepEqual(await shell.offered('queuectl show o'), ['old']);
});

test('suggestions come from the queue named on the line', async (t) => {
  const shell = new Shell(t);
  shell.queuectl('enqueue', '--db', 'my queue.db', '--id', 'elsewhere', 'true');
  assert.deepEqual(await shell.offered("queuectl --db 'my queue.db' show "), ['elsewhere']);
  assert.deepEqual(await shell.offered('queuectl show --db=my\\ queue.db '), ['elsewhere']);
  assert.deepEqual(await shell.offered('queuectl show '), []);
});

test('completing a line creates no queue', async (t) => {
  const shell = new Shell(t);
  fs.writeFileSync(path.join(shell.folder, 'empty'), '');
  for (const line of ['show ', 'worker stop ', 'list --queue ', 'show --db empty ', 'show --db a/b/c ']) {
    assert.deepEqual(await shell.offered(`queuectl ${line}`), [], line);
  }
  assert.deepEqual(fs.readdirSync(shell.folder), ['empty']);
  assert.equal(fs.statSync(path.join(shell.folder, 'empty')).size, 0);
});

test('invalid input causes no output and no failure', (t) => {
  const shell = new Shell(t);
  fs.writeFileSync(shell.db, 'this is no database, however long it is made');
  const lines = [
    'show ',
    'show --db postgres://host/db ',
    '--db',
    '--db= show ',
    "show '",
    '--nonsense x -',
    'worker x y ',
    '__proto__ x ',
    'constructor ',
  ];
  for (const line of ['', ...lines.map((words) => `queuectl ${words}`)]) {
    const { status, stderr } = spawnSync('queuectl', ['__complete', '--', line], {
      env: shell.env,
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, line);
  }
  const bare = spawnSync('queuectl', ['__complete'], { env: shell.env, encoding: 'utf8' });
  assert.deepEqual([bare.status, bare.stderr], [0, '']);
});

test('bash completes words, also after characters that split words', (t) => {
  const shell = new Shell(t);
  shell.queuectl('enqueue', '--id', 'two:a', 'true');
  assert.deepEqual(shell.bash('queuectl wor'), { words: ['worker'], lists: [] });
  assert.deepEqual(shell.bash('queuectl show two'), { words: ['two:a'], lists: [] });
  assert.deepEqual(shell.bash('queuectl show two:'), { words: ['a'], lists: [] });
  assert.deepEqual(shell.bash('queuectl add --backoff-strategy=li'), { words: ['linear'], lists: [] });
  assert.deepEqual(shell.bash('queuectl show three'), { words: [], lists: [] });
});

test('bash itself lists files and directories', (t) => {
  const shell = new Shell(t);
  assert.deepEqual(shell.bash('queuectl enqueue --file '), { words: [], lists: ['default'] });
  assert.deepEqual(shell.bash('queuectl enqueue --cwd '), { words: [], lists: ['dirnames'] });
});

test('bash registers the completion without loading anything else', (t) => {
  const { env } = new Shell(t);
  const script = 'eval "$(queuectl completions bash)"; complete -p queuectl';
  assert.equal(
    execFileSync('bash', ['--norc', '--noprofile', '-c', script], { env, encoding: 'utf8' }),
    'complete -F _queuectl queuectl\n',
  );
});

test('every script is valid in its shell and calls the program', (t) => {
  const shell = new Shell(t);
  const isInstalled = (name: string) => spawnSync(name, ['--version']).error === undefined;
  for (const name of SHELLS) {
    const script = shell.queuectl('completions', name);
    assert.equal(script, SCRIPTS[name]);
    assert.match(script, /__complete -- /);
    assert.deepEqual(JSON.parse(shell.queuectl('completions', name, '--json')), { shell: name, script });
    if (!isInstalled(name)) continue;
    const file = path.join(shell.folder, name);
    fs.writeFileSync(file, script);
    const { status, stderr } = spawnSync(name, ['-n', file], { env: shell.env, encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, name);
  }
});

test('a missing or unknown shell is wrong usage that names the supported shells', (t) => {
  const { env } = new Shell(t);
  for (const args of [[], ['tcsh'], ['bash', 'zsh']]) {
    const { status, stderr } = spawnSync('queuectl', ['completions', ...args], { env, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^error: .*\n hint: show the usage: queuectl completions --help/);
  }
});
