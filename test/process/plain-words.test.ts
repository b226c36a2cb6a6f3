// Compares the splitting of plain commands with real shells.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { plainWords } from '../../src/process/shell/plain-words.ts';

/** Commands to compare in each shell; QUEUECTL_TEST_COMMANDS=1000000 for a thorough search. */
const COMMANDS = Number(process.env.QUEUECTL_TEST_COMMANDS ?? 20_000);
const AT_ONCE = 20_000;

const inPath = (name: string): string[] =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => path.join(folder, name))
    .filter((file) => fs.existsSync(file));

/** dash and bash as `sh`, if installed. */
const shells = ['dash', 'bash'].flatMap((name) => inPath(name).slice(0, 1));

function output(shell: string, script: string): string {
  const { stdout, stderr, status } = spawnSync(shell, { argv0: 'sh', input: script, maxBuffer: 1e9 });
  assert.deepEqual([String(stderr), status], ['', 0]);
  return String(stdout);
}

const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32));
const PIECES = [
  "'a b'",
  '"a b"',
  "''",
  '""',
  "'$x'",
  '"it\'s"',
  '--a=b',
  'a',
  '/b',
  ' ',
  '  ',
  ' ',
  ' ',
  '\t',
  '\n',
  'é',
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...ASCII), { weight: 2, arbitrary: fc.constantFrom(...PIECES) }), { maxLength: 12 })
  .map((pieces) => `p${pieces.join('')}`);

function plainCommands(count: number): string[] {
  const found: string[] = [];
  while (found.length < count) found.push(...fc.sample(texts, 1000).filter((text) => plainWords(text) !== null));
  return found.slice(0, count);
}

const SHOW = `show() { printf '%s\\0' "$#" "$@"; }\n`;

describe('a plain command', () => {
  for (const shell of shells)
    test(`is split as ${path.basename(shell)} does`, () => {
      for (let left = COMMANDS; left > 0; left -= AT_ONCE) {
        const commands = plainCommands(Math.min(left, AT_ONCE));
        const expected = commands.map((text) => plainWords(text) ?? []).flatMap((words) => [words.length, ...words]);
        const found = output(shell, SHOW + commands.map((text) => `show ${text}\n`).join(''));
        assert.deepEqual(found.split('\0').slice(0, -1), expected.map(String));
      }
    });

  for (const shell of shells)
    test(`starts with a program in ${path.basename(shell)}, never with a builtin or a reserved word`, () => {
      const files = (process.env.PATH ?? '')
        .split(':')
        .flatMap((folder) => (fs.existsSync(folder) ? fs.readdirSync(folder) : []));
      const builtins =
        shells.some((one) => one.endsWith('bash')) === false
          ? []
          : output('bash', 'compgen -bkA function').split('\n').filter(Boolean);
      const names = [...new Set([...files, ...builtins])].filter((name) => plainWords(name) !== null);
      const answers = output(shell, `${names.map((name) => `command -v ${name} || echo /none\n`).join('')}`)
        .trim()
        .split('\n');
      assert.equal(answers.length, names.length);
      assert.deepEqual(
        names.filter((_, at) => !answers[at]?.startsWith('/')),
        [],
      );
    });
});

describe('the words of a plain command', () => {
  const accepted: Record<string, readonly string[]> = {
    'gzip -t small.gz': ['gzip', '-t', 'small.gz'],
    "printenv  'a b' x'$y'\"z\"": ['printenv', 'a b', 'x$yz'],
    './run --level=3 user@host:/tmp +%H ""': ['./run', '--level=3', 'user@host:/tmp', '+%H', ''],
  };
  for (const [text, words] of Object.entries(accepted))
    test(`are returned: ${text}`, () => assert.deepEqual(plainWords(text), words));

  const rejected = [
    ...[
      'true',
      'echo a',
      'cd /',
      'time ls',
      'A=b ls',
      './a=b',
      '-c ls',
      '+x ls',
      '%1',
      ' ls',
      'ls ',
      '',
      '~/run',
      'ls ~',
    ],
    ...[
      'ls *',
      'ls [a]',
      'ls {a,b}',
      'ls a?',
      'ls $x',
      'ls `x`',
      'ls "$x"',
      'ls "`x`"',
      'ls "a\\b"',
      'ls a\\ b',
      'ls "!x"',
    ],
    ...[
      'ls; ls',
      'ls & ls',
      'ls | ls',
      'ls > x',
      'ls < x',
      'ls 2>x',
      'ls (a)',
      'ls #a',
      'ls !a',
      'ls ^a',
      '!ls',
      '"ls"',
    ],
    ...["ls 'a", 'ls "a', "ls a'", 'ls\nls', 'ls\tx', "ls 'a\nb'", 'ls é', "ls 'é'", `ls ${'x'.repeat(5000)}`],
  ];
  for (const text of rejected)
    test(`are left to the shell: ${JSON.stringify(text).slice(0, 30)}`, () => assert.equal(plainWords(text), null));
});
