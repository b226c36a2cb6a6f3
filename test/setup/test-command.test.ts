// The test command itself: what it answers is what CI goes by.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { bareClone, installingNpm, pathWithNpm, repository, run, temporaryFolder, withQuickBuild } from './clone.ts';

/** In a clone of its own: it builds, and other tests are running what this repository has built. */
function cloneWithTests(t: TestContext): string {
  const clone = withQuickBuild(bareClone(t));
  fs.cpSync(path.join(repository, 'test', 'support'), path.join(clone, 'test', 'support'), {
    recursive: true,
  });
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(clone, 'node_modules'));
  return clone;
}

/** Its exit code for one test file with this name and text. */
async function answer(t: TestContext, name: string, text: string): Promise<number | null> {
  const file = path.join(temporaryFolder(t), name);
  fs.writeFileSync(file, TEST + text);
  const { NODE_TEST_CONTEXT: _, QUEUECTL_TEST_POSTGRES: __, ...env } = process.env;
  const args = [path.join(cloneWithTests(t), 'scripts', 'test.ts'), file];
  const PATH = pathWithNpm(t, installingNpm);
  return (await run(process.execPath, { args, env: { ...env, PATH } })).code;
}

const TEST = "import { test } from 'node:test';\n";
const FAILS = "test('fails', () => { throw new Error('as it should'); });";
const PASSES = "test('passes', () => {});";

test('a failing test fails it, with and without a server next to it', async (t) => {
  assert.equal(await answer(t, 'plain.test.ts', FAILS), 1);
  assert.equal(await answer(t, 'postgres.test.ts', FAILS), 1);
});

test('without arguments it runs all tests, and fails if one of them does', async (t) => {
  const clone = cloneWithTests(t);
  const { NODE_TEST_CONTEXT: _, ...given } = process.env;
  const env = { ...given, PATH: pathWithNpm(t, installingNpm), QUEUECTL_TEST_POSTGRES: 'postgres://unused' };
  const all = () => run(process.execPath, { args: [path.join(clone, 'scripts', 'test.ts')], env });
  const add = (name: string, text: string) => fs.writeFileSync(path.join(clone, 'test', name), TEST + text);

  add('one.test.ts', PASSES);
  add('support/other.test.ts', PASSES.replace('passes', 'passes too'));
  const passed = await all();
  assert.equal(passed.code, 0, passed.stdout + passed.stderr);
  for (const line of ['✔ passes (', '✔ passes too (', 'tests 2\n']) assert.ok(passed.stdout.includes(line), line);

  add('one.test.ts', FAILS);
  assert.equal((await all()).code, 1);
});

test('a directory, a file and a part of a path select tests, and a name without a match is an error', async (t) => {
  const clone = cloneWithTests(t);
  const { NODE_TEST_CONTEXT: _, QUEUECTL_TEST_POSTGRES: __, ...given } = process.env;
  const env = { ...given, PATH: pathWithNpm(t, installingNpm) };
  const some = (name: string) =>
    run(process.execPath, { args: [path.join(clone, 'scripts', 'test.ts'), name], cwd: clone, env });
  fs.writeFileSync(path.join(clone, 'test', 'support', 'policy.test.ts'), TEST + PASSES);
  fs.writeFileSync(path.join(clone, 'test', 'other.test.ts'), TEST + FAILS);
  for (const name of ['test/support', 'test/support/policy.test.ts', 'policy', 'test/*/*.test.ts']) {
    const { code, stdout } = await some(name);
    assert.equal(code, 0, name);
    assert.match(stdout, /tests 1\n/, name);
  }
  assert.deepEqual(await some('polcy'), {
    code: 1,
    stdout: '',
    stderr: "error: no test file matches 'polcy'; give a directory, a file or a part of a path below test/\n",
  });
});

test('with passing tests it succeeds, with and without a server next to it', async (t) => {
  assert.equal(await answer(t, 'plain.test.ts', PASSES), 0);
  assert.equal(await answer(t, 'postgres.test.ts', PASSES), 0);
});
