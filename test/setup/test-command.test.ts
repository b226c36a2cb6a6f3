// The test command itself: what it answers is what CI goes by.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { repository, run, temporaryFolder } from './clone.ts';

/** Its exit code for one test file with this name and text. */
async function answer(t: TestContext, name: string, text: string): Promise<number | null> {
  const file = path.join(temporaryFolder(t), name);
  fs.writeFileSync(file, `import { test } from 'node:test';\n${text}\n`);
  const { NODE_TEST_CONTEXT: _, QUEUECTL_TEST_POSTGRES: __, ...env } = process.env;
  const args = [path.join(repository, 'scripts', 'test.ts'), file];
  return (await run(process.execPath, { args, env })).code;
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
