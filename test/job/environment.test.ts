// What is kept of a shell's environment, and which environments are the same.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { environmentOf, isInherited, newEnvironment, variablesIn } from '../../src/job/environment/environment.ts';
import { aText } from '../support/random-jobs.ts';
import { rejected } from '../support/rejection.ts';

const kept = (shell: NodeJS.ProcessEnv) => variablesIn(environmentOf(shell).text);

describe('the stored environment of a shell', () => {
  test('contains the variables that configure programs', () => {
    const shell = {
      PATH: '/venv/bin:/usr/bin',
      VIRTUAL_ENV: '/venv',
      HOME: '/home/me',
      LANG: 'de_DE.UTF-8',
      SSH_AUTH_SOCK: '/run/agent',
      DISPLAY: ':0',
      EMPTY: '',
      'BASH_FUNC_greet%%': '() { echo "hi"\n}',
    };
    assert.deepEqual(kept(shell), shell);
  });

  test('excludes variables about the shell, its terminal, or a surrounding job', () => {
    const shell = {
      PWD: '/here',
      OLDPWD: '/there',
      SHLVL: '2',
      _: '/usr/bin/queuectl',
      TERM: 'xterm',
      COLUMNS: '80',
      LINES: '24',
      WINDOWID: '1',
      GPG_TTY: '/dev/pts/1',
      QUEUECTL_JOB_ID: 'a',
      QUEUECTL_DB: 'postgres://me:secret@host/db',
      QUEUECTL_MAX_RETRIES: '5',
    };
    assert.deepEqual(kept({ ...shell, KEPT: 'yes' }), { KEPT: 'yes' });
  });

  test('accepts any name, even those of object properties', () => {
    const shell = Object.fromEntries(['__proto__', 'constructor', 'toString', '1'].map((name) => [name, 'x']));
    assert.deepEqual(Object.entries(kept(shell)).sort(), Object.entries(shell).sort());
  });

  test('excludes values that cannot be stored unchanged', () => {
    const shell = { LATIN_1: 'caf\u{FFFD}', HALF: '\ud800', CUT: 'a\0b', '': 'no name', UNSET: undefined };
    assert.deepEqual(kept({ ...shell, TEXT: 'café 🦊' }), { TEXT: 'café 🦊' });
  });

  test('accepts any text under any name', () => {
    const names = aText.filter((name) => name !== '');
    fc.assert(
      fc.property(fc.dictionary(names, aText, { noNullPrototype: true }), (given) => {
        const shell = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [
            `X${name}`.replaceAll('\u{FFFD}', ''),
            value.replaceAll('\u{FFFD}', ''),
          ]),
        );
        assert.deepEqual(kept(shell), shell);
      }),
    );
  });

  test('cannot exceed what a program can receive', () => {
    const bytes = 131_071 - 'BIG='.length;
    assert.equal(kept({ BIG: 'x'.repeat(bytes) }).BIG?.length, bytes);
    const { message, hint } = rejected('environment_too_large', () => environmentOf({ BIG: 'é'.repeat(bytes) }));
    assert.match(message, /^the variable BIG is \d+ bytes long, more than the limit of 131071;/);
    assert.match(String(hint), /--no-inherit-env/);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`V${i}`, 'x'.repeat(60_000)]));
    const { message: total } = rejected('environment_too_large', () => environmentOf(many));
    assert.match(total, /^the environment of this shell is 12000\d\d bytes long, more than the limit of 1048576;/);
  });
});

describe('two environments', () => {
  test('are equal whatever the order of their variables', () => {
    assert.deepEqual(environmentOf({ A: '1', B: '2' }), environmentOf({ B: '2', A: '1' }));
  });

  test('differ when one value differs, and so do their hashes', () => {
    const hashes = Array.from({ length: 2000 }, (_, i) => environmentOf({ A: 'same', N: String(i) }).hash);
    assert.equal(new Set(hashes).size, hashes.length);
  });

  test('have a hash that both databases and JSON can store', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { hash } = newEnvironment(text);
        assert.ok(Number.isSafeInteger(hash) && hash >= 0);
        assert.equal(newEnvironment(text).hash, hash);
      }),
    );
  });
});

test('an environment is inherited on request, or by default if no other user reads it', () => {
  assert.deepEqual(
    (['auto', 'on', 'off'] as const).map((setting) => [isInherited(setting, false), isInherited(setting, true)]),
    [
      [true, false],
      [true, true],
      [false, false],
    ],
  );
});
