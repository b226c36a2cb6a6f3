// Starts random plain commands with and without the shell, and compares everything that a user can see.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { DirectStarts } from '../../src/process/shell/direct-start.ts';
import { type KnownShell, knownShell } from '../../src/process/shell/known-shell.ts';
import { makePosixSpawn } from '../../src/process/spawn/posix-spawn.ts';
import { exitOfShell } from '../../src/process/shell/waiting-shell.ts';
import type { Exit } from '../../src/process/spawn/exit.ts';
import type { Start } from '../../src/process/spawn/start.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

/** Commands to start in each shell; QUEUECTL_TEST_COMMANDS=20000 for a thorough search. */
const COMMANDS = Number(process.env.QUEUECTL_TEST_COMMANDS ?? 300);

const folder = newFolder('queuectl-direct-');
after(() => removeFolder(folder));
const within = (...names: string[]): string => path.join(folder, ...names);

function addFile(name: string, text: string, mode = 0o755): void {
  fs.mkdirSync(path.dirname(within(name)), { recursive: true });
  fs.writeFileSync(within(name), text, { mode });
}

/** Shows `$0`, its arguments and its variables. */
const SHOW = `printf "%s|" "$0" "$@"; echo; exec cat /proc/$$/environ\n`;
addFile('bin/x-script', `#!/bin/sh\n${SHOW}`);
addFile('bin/x-bare', SHOW);
addFile('bin/x-empty', '');
addFile('bin/x-text', 'text', 0o644);
addFile('bin/x-hidden', SHOW, 0o644);
addFile('more/x-hidden', `#!/bin/sh\n${SHOW}`);
addFile('bin/x-lost', `#!/no/such/interpreter\n${SHOW}`);
addFile('more/x-lost', `#!/bin/sh\n${SHOW}`);
addFile('bin/x-code', '#!/bin/sh\nexit 7\n');
addFile('bin/x-killed', '#!/bin/sh\nkill -TERM $$\n');
addFile('bin/x-folder/cat', '#!/bin/sh\necho another cat\n');
addFile('more/x-folder', `#!/bin/sh\n${SHOW}`);
fs.symlinkSync('x-script', within('bin/x-link'));
fs.symlinkSync('nowhere', within('bin/x-broken'));
fs.symlinkSync('bin', within('same'));

/** The prefix keeps random commands from meeting programs of the system. */
const FILES = [
  'x-script',
  'x-bare',
  'x-empty',
  'x-text',
  'x-hidden',
  'x-lost',
  'x-code',
  'x-killed',
  'x-folder',
  'x-link',
  'x-broken',
  'x-none',
];
const programs = fc.oneof(
  fc.constantFrom(
    'cat',
    '/bin/cat',
    'env',
    'printenv',
    'ls',
    'cat',
    '..',
    './',
    '/',
    '//bin/cat',
    '/bin//cat',
    '/bin/./cat',
  ),
  fc.constantFrom(...FILES),
  fc
    .tuple(
      fc.constantFrom('./', 'bin/', './bin/', 'same/', '../', './/bin/', `${folder}/bin/`),
      fc.constantFrom(...FILES),
    )
    .map((parts) => parts.join('')),
);
const args = fc.constantFrom(
  ...[
    '/proc/self/environ',
    '/proc/self/cmdline',
    "'a b'",
    '""',
    "'$HOME'",
    '-x',
    '--',
    'A=b',
    '"it\'s"',
    '%',
    "'*'",
    '.',
    '//',
  ],
);
const commands = fc
  .tuple(programs, fc.array(args, { maxLength: 4 }))
  .map(([program, more]) => [program, ...more].join(' '));

const paths = fc.oneof(
  { weight: 4, arbitrary: fc.constant(`${within('bin')}:${within('more')}:/usr/bin:/bin`) },
  fc
    .array(
      fc.constantFrom(
        '/usr/bin',
        '/bin',
        within('bin'),
        within('more'),
        within('same'),
        `${within('bin')}/`,
        'bin',
        '',
        '.',
        '/',
        '/no',
        '~',
        '/usr/bin%func',
        within('bin/x-text'),
        '//usr/bin',
        '/usr/./bin',
      ),
      { maxLength: 4 },
    )
    .map((some) => some.join(':')),
  fc.constant(undefined),
);
const NAMES = [
  ...[
    'A',
    'z_9',
    '_',
    '_x',
    'IFS',
    'PPID',
    'OPTIND',
    'OPTERR',
    'OPTARG',
    'PS1',
    'PS2',
    'PS4',
    'SHLVL',
    'OLDPWD',
    'ENV',
    'HOME',
  ],
  ...[
    'LINENO',
    'RANDOM',
    'SECONDS',
    'UID',
    'EUID',
    'GROUPS',
    'DIRSTACK',
    'FUNCNAME',
    'HISTCMD',
    'SHELLOPTS',
    'BASHOPTS',
    'BASH_ENV',
  ],
  ...[
    'BASH_FUNC_cat%%',
    'BASH_COMPAT',
    'POSIXLY_CORRECT',
    'LANG',
    'LC_ALL',
    'LC_CTYPE',
    'LANGUAGE',
    'TZ',
    'TERM',
    'SHELL',
    'HOSTNAME',
  ],
  ...[
    'MAIL',
    'MAILPATH',
    'MAILCHECK',
    'CDPATH',
    'TMOUT',
    'FIGNORE',
    'GLOBIGNORE',
    'EXECIGNORE',
    'HISTFILE',
    'TMPDIR',
    'COLUMNS',
    'LINES',
  ],
  ...[
    'a.b',
    'a-b',
    '1a',
    'é',
    'IGNOREEOF',
    'COMP_WORDBREAKS',
    'EPOCHSECONDS',
    'SRANDOM',
    'BASH',
    'PIPESTATUS',
    'REPLY',
    'LD_X',
  ],
];
const values = fc.constantFrom(
  '',
  '1',
  '2',
  '09',
  'x',
  '/tmp',
  'a b',
  'a\nb',
  '() { :; }',
  '() { echo no; }',
  'C',
  'C.UTF-8',
  'xx_XX.UTF-8',
  '~',
  'é',
  '*',
  '-e',
);
const variables = fc.dictionary(fc.constantFrom(...NAMES), values, { maxKeys: 3, noNullPrototype: true });
const folders = fc.constantFrom(
  folder,
  folder,
  within('bin'),
  within('same'),
  `${folder}/`,
  `${within('bin')}/..`,
  `/${folder}`,
  '/',
  within('none'),
  null,
);
const pwds = fc.constantFrom('same', 'same', 'same', undefined, '/', 'bin', folder);

const starts = fc
  .record({ text: commands, PATH: paths, inherited: variables, own: variables, cwd: folders, pwd: pwds })
  .map(({ text, PATH, inherited, own, cwd, pwd }) => {
    const PWD = pwd === 'same' ? cwd : pwd;
    const ofPath = PATH === undefined ? {} : { PATH };
    return { text, cwd, inherited: { ...inherited, ...ofPath }, own: PWD == null ? own : { ...own, PWD } };
  });
type Case = Pick<Start, 'cwd' | 'inherited' | 'own'> & { readonly text: string };

for (const name of ['dash', 'bash'] as const) {
  const file = ['/bin', '/usr/bin', '/usr/local/bin']
    .map((place) => `${place}/${name}`)
    .find((one) => fs.existsSync(one));
  if (file !== undefined) describe(`without ${name}`, () => comparing(name, file));
}

function comparing(name: KnownShell['name'], file: string): void {
  const starter = makePosixSpawn();
  assert.ok(starter);
  addFile(`${name}/README`, 'the shell under its usual name');
  const shell = within(name, 'sh');
  fs.symlinkSync(file, shell);

  async function run({ text, ...rest }: Case, isDirect: boolean) {
    const output = fs.openSync(within('output'), 'w+');
    try {
      const start = { ...rest, program: shell, args: ['-c', text], text: isDirect ? text : undefined };
      const child = starter?.({ ...start, outputs: [output, output], notAfterMs: Number.POSITIVE_INFINITY });
      const [pid, exit] = await Promise.all([child?.pid.catch(() => 0), child?.exit.catch((error: Error) => error)]);
      const { usage: _, inShell, ...ending } = exitOfShell(exit as Exit);
      const message = (exit as Exit).inShell?.message ?? '';
      return { pid, ending, output: fs.readFileSync(within('output'), 'latin1') + message };
    } finally {
      fs.closeSync(output);
    }
  }

  const usual = { cwd: folder, inherited: { PATH: '/usr/bin:/bin' }, own: { PWD: folder } };
  /** Shells sort variables by a hash, so the order shows whether there was one. */
  const ORDER = { z: '1', y: '2', x: '3', w: '4', v: '5', u: '6', t: '7' };

  before(async () => {
    await starter.ready;
    assert.equal((await knownShell(shell, '/usr/bin:/bin', starter))?.name, name);
    const isDirect = async () => {
      const { output } = await run({ ...usual, own: { ...ORDER, ...usual.own }, text: 'cat /proc/self/environ' }, true);
      return output.startsWith('z=1\0y=2\0x=3\0w=4\0v=5\0u=6\0t=7\0');
    };
    await until('a command starts without the shell', isDirect);
  });

  const shown = ({ ending, output }: Awaited<ReturnType<typeof run>>) => ({
    ending,
    output: output.split(/[\0\n]/).sort(),
  });

  test('random commands end alike, with the same output, arguments and variables', async () => {
    const direct = new DirectStarts(name);
    let left = COMMANDS;
    const compared = fc.asyncProperty(starts, async (one: Case) => {
      fc.pre(direct.of(one.text, one) !== null && left-- > 0);
      assert.deepEqual(shown(await run(one, true)), shown(await run(one, false)));
    });
    await fc.assert(compared, { numRuns: COMMANDS, maxSkipsPerRun: 100 });
  });

  const same = [
    'grep -E "^(Umask|Sig[A-Z][a-z]|Shd|Cap|NoNewPrivs|Seccomp|Groups|Uid|Gid|Name)" /proc/self/status',
    'cat /proc/self/limits /proc/self/cgroup /proc/self/oom_score_adj /proc/self/personality',
    'ls -l --time-style=+ /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2',
    'ls /proc/self/fd',
    'x-none',
    '/none/none',
    './x-none',
    './bin',
    './bin/x-text',
    './bin/x-bare "a b"',
    './bin/x-killed',
  ];
  for (const text of same)
    test(`shows no difference: ${text}`, async () => {
      assert.notEqual(new DirectStarts(name).of(text, usual), null);
      assert.deepEqual(shown(await run({ ...usual, text }, true)), shown(await run({ ...usual, text }, false)));
    });

  test('leads its own session, and its PID is that of the program', async () => {
    const { pid, output } = await run({ ...usual, text: 'cat /proc/self/stat' }, true);
    const [own, program, , , group, session] = output.split(' ');
    assert.deepEqual([own, program, group, session], [`${pid}`, '(cat)', `${pid}`, `${pid}`]);
  });

  for (const signal of ['HUP', 'INT', 'QUIT', 'ABRT', 'KILL', 'SEGV', 'PIPE', 'TERM', 'XCPU', 'RTMIN'])
    test(`reports SIG${signal} as the shell does`, async () => {
      const file = `by-${signal}`;
      addFile(file, `#!/bin/bash\nkill -${signal} $$\n`);
      const direct = await run({ ...usual, text: `./${file}` }, true);
      const inShell = await run({ ...usual, text: `./${file}` }, false);
      assert.deepEqual(shown(direct), shown(inShell));
    });

  test('prints the message of the shell if it cannot start', async () => {
    const { ending, output } = await run({ ...usual, text: 'none' }, true);
    assert.match(output, /sh: (?:line )?[01]: none: (?:command )?not found\n/);
    assert.equal((ending as { exitCode: number }).exitCode, 127);
  });
}

test('a shell that is not known runs every command', async () => {
  const starter = makePosixSpawn();
  assert.ok(starter);
  await starter.ready;
  fs.copyFileSync('/bin/sh', within('other-shell'));
  addFile('pretends/dash', '#!/bin/sh\nexport MORE=1\nexec /bin/sh "$@"\n');
  addFile('forks/dash', '#!/bin/sh\n/bin/sh "$@"\n');
  for (const file of ['other-shell', 'pretends/dash', 'forks/dash', 'none'])
    assert.equal(await knownShell(within(file), '/usr/bin:/bin', starter), null, file);
});
