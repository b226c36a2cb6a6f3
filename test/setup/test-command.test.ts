// The test command itself: what it answers is what CI goes by.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { installingNpm, pathWithNpm, quicklyBuiltClone, repository, run, temporaryFolder } from './clone.ts';

/** In a clone of its own: it builds, and other tests are running what this repository has built. */
function cloneWithTests(t: TestContext): string {
  const clone = quicklyBuiltClone(t);
  fs.cpSync(path.join(repository, 'test', 'support'), path.join(clone, 'test', 'support'), {
    recursive: true,
  });
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(clone, 'node_modules'));
  return clone;
}

/** Its exit code for one test file with this name and text. */
async function answer(t: TestContext, name: string, text: string): Promise<number | null> {
  const file = path.join(temporaryFolder(t), name);
  fs.writeFileSync(file, `import { test } from 'node:test';\n${text}\n`);
  const { NODE_TEST_CONTEXT: _, QUEUECTL_TEST_POSTGRES: __, ...env } = process.env;
  const args = [path.join(cloneWithTests(t), 'scripts', 'test.ts'), file];
  const PATH = pathWithNpm(t, installingNpm);
  return (await run(process.execPath, { args, env: { ...env, PATH } })).code;
}

const FAILS = "test('fails', () => { throw new Error('as it should'); });";
const PASSES = "test('passes', () => {});";

test('a failing test fails it, with and without a server beside it', async (t) => {
  assert.equal(await answer(t, 'plain.test.ts', FAILS), 1);
  assert.equal(await answer(t, 'postgres.test.ts', FAILS), 1);
});

test('with passing tests it succeeds, with and without a server beside it', async (t) => {
  assert.equal(await answer(t, 'plain.test.ts', PASSES), 0);
  assert.equal(await answer(t, 'postgres.test.ts', PASSES), 0);
});
