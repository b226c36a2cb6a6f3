// What the torture understands of its command line, and what it says of the rest.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { argumentsFrom, USAGE } from '../../torture/arguments.ts';

const run = (...args: string[]) => {
  const script = new URL('../../torture/run.ts', import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('--help prints the usage of the torture and starts nothing', () => {
  assert.deepEqual(run('--help'), { status: 0, stdout: `${USAGE}\n`, stderr: '' });
});

test('invalid arguments cause one sentence and no stack trace', () => {
  for (const args of [['--nonsense'], ['--minutes', 'x'], ['--seed', ''], ['--actions', 'good'], ['more']]) {
    const { status, stdout, stderr } = run(...args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.ok(stderr.endsWith(`${USAGE}\n`), stderr);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

test('valid arguments are applied', () => {
  assert.deepEqual(argumentsFrom(['--minutes', '0.5', '--seed', '7', '--db', 'embedded', '--actions', 'plain']), {
    seconds: 30,
    seed: 7,
    db: 'embedded',
    actions: 'plain',
  });
  assert.equal(argumentsFrom([])?.seconds, 120);
});
