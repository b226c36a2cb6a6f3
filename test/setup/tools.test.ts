// npm run bench and npm run torture, the first thing that is done in a clone: they install what they need.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { bareClone, installingNpm, pathWithNpm, type Result, repository, run, withQuickBuild } from './clone.ts';

/** What `npm ci` does, in whichever folder it is called for. */
const npm = `
case $(cat package.json) in
  *queuectl-toolchain*) ${installingNpm} ;;
  *'A peer to measure against'*) echo 'gyp ERR! stack Error: no headers for this Node' >&2; exit 1 ;;
  *) mkdir node_modules; ln -s '${repository}'/node_modules/.bin '${repository}'/node_modules/* node_modules
     ln -s '${repository}'/node_modules/@* node_modules 2>/dev/null
     cp '${repository}/node_modules/.package-lock.json' node_modules ;;
esac`;

/** The command line behind `npm run NAME`, in a clone where nothing is installed. */
async function runScript(t: TestContext, name: string, ...args: string[]): Promise<Result> {
  const clone = withQuickBuild(bareClone(t));
  for (const folder of ['bench', 'torture', 'test']) {
    const filter = (file: string) => path.basename(file) !== 'node_modules';
    fs.cpSync(path.join(repository, folder), path.join(clone, folder), { recursive: true, filter });
  }
  const { scripts } = JSON.parse(fs.readFileSync(path.join(clone, 'package.json'), 'utf8'));
  const [program, ...words] = String(scripts[name]).split(' ');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return run(path.join(clone, program ?? ''), {
    args: [...words, ...args],
    cwd: clone,
    env: { ...env, PATH: pathWithNpm(t, npm) },
  });
}

test('the benchmark installs its packages first, and answers an unknown row with the existing ones', async (t) => {
  const { code, stdout, stderr } = await runScript(t, 'bench', 'no-such-row');
  assert.equal(code, 2, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /installing the locked packages, once\n(.*\n)*usage: .*\nrows: .*\bdrain\b/);
});

test('a peer that cannot be measured is named with the reason', async (t) => {
  const { code, stdout, stderr } = await runScript(t, 'bench', 'store');
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, /liteque/);
  assert.match(stderr, /\nleft out: liteque: npm could not install it: .*no headers for this Node\n$/);
});

test('the torture installs its packages first', async (t) => {
  const { stdout, stderr } = await runScript(t, 'torture', '--minutes', '0', '--seed', '1');
  assert.match(stderr, /installing the locked packages, once\n/);
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
  assert.match(stdout, /^seed 1, 0 s\n[\s\S]*\nverdict /);
});
