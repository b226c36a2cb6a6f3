// The first use of a clone: one install, whoever else starts, and whatever cuts it off.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import {
  bareClone,
  installingNpm,
  launcher,
  pathWithNpm,
  run,
  start,
  temporaryFolder,
  withQuickBuild,
} from './clone.ts';

const firstUse = (clone: string, PATH: string) =>
  start(launcher(clone), { args: ['--version'], env: { ...process.env, PATH } });

const leftovers = (clone: string) =>
  fs.readdirSync(path.join(clone, 'toolchain')).filter((name) => name.startsWith('.install'));

test('a fresh clone installs and builds itself, with one line about it', async (t) => {
  const clone = bareClone(t);
  const { code, stdout, stderr } = await run(launcher(clone), { args: ['--version'] });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /\d+\.\d+\.\d+/);
  assert.equal(stderr, 'queuectl: installing Node and the bundler, once\n');
  assert.deepEqual(leftovers(clone), []);
  const again = await run(launcher(clone), { args: ['--version'], env: { PATH: '/nowhere' } });
  assert.deepEqual(again, { code: 0, stdout, stderr: '' });
});

test('concurrent first uses install once, also after one that was killed, and all run', async (t) => {
  const clone = bareClone(t);
  fs.symlinkSync('999999999', path.join(clone, 'toolchain', '.install.lock'));
  const calls = path.join(temporaryFolder(t), 'calls');
  const PATH = pathWithNpm(t, `echo called >>'${calls}'; sleep 0.5\n${installingNpm}`);
  const results = await Promise.all([1, 2].map(() => firstUse(clone, PATH).ended));
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  assert.equal(fs.readFileSync(calls, 'utf8'), 'called\n');
  assert.deepEqual(leftovers(clone), []);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  test(`an install interrupted by ${signal} is repaired at the next use`, async (t) => {
    const clone = withQuickBuild(bareClone(t));
    const half = pathWithNpm(t, 'mkdir -p node_modules/esbuild; exec sleep 60');
    const cutOff = firstUse(clone, half);
    const work = () => leftovers(clone).find((name) => /\d$/.test(name)) ?? 'none yet';
    await until('npm is at work', () => fs.existsSync(path.join(clone, 'toolchain', work(), 'node_modules')));
    cutOff.interrupt(signal);
    assert.notEqual((await cutOff.ended).code, 0);
    if (signal !== 'SIGKILL') assert.deepEqual(leftovers(clone), []);

    const { code, stderr } = await firstUse(clone, pathWithNpm(t, installingNpm)).ended;
    assert.equal(code, 0, stderr);
    assert.deepEqual(leftovers(clone), []);
  });
}

test('files of a killed process with a reused PID do not block an install', async (t) => {
  const clone = bareClone(t);
  const leave = 'ln -s $$ toolchain/.install.lock; mkdir toolchain/.install.$$; exec scripts/install toolchain';
  const env = { ...process.env, PATH: pathWithNpm(t, installingNpm) };
  const { code, stderr } = await run('sh', { args: ['-c', leave], cwd: clone, env });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: 'queuectl: installing Node and the bundler, once\n' });
  assert.deepEqual(leftovers(clone), []);
});

test('a failed install prints the reason, leaves nothing behind and is retried', async (t) => {
  const clone = withQuickBuild(bareClone(t));
  const failing = pathWithNpm(t, "echo 'npm error code ENOTFOUND' >&2; mkdir node_modules; exit 1");
  const failed = await firstUse(clone, failing).ended;
  assert.equal(failed.code, 1);
  assert.deepEqual(failed.stderr.split('\n').slice(1), [
    'npm error code ENOTFOUND',
    "error: npm could not install queuectl's packages",
    ' hint: check the network and try again; the incomplete installation was removed',
    '',
  ]);
  assert.deepEqual(fs.readdirSync(path.join(clone, 'toolchain')).includes('node_modules'), false);
  assert.equal((await firstUse(clone, pathWithNpm(t, installingNpm)).ended).code, 0);
});

test('an install without a usable Node is rejected if the PATH has none either', async (t) => {
  const clone = withQuickBuild(bareClone(t));
  const PATH = pathWithNpm(t, 'mkdir node_modules; echo {} >node_modules/.package-lock.json');
  fs.writeFileSync(path.join(PATH.split(':')[0] ?? '', 'node'), '#!/bin/sh\necho v20.20.2\n', {
    mode: 0o755,
  });
  const { code, stderr } = await firstUse(clone, PATH).ended;
  assert.equal(code, 1);
  assert.match(stderr, /error: npm brought no Node that runs on this machine \(.+\), .* too old \(v20\.20\.2\)/);
  assert.equal((await firstUse(clone, pathWithNpm(t, installingNpm)).ended).code, 0);
});

test('without npm it prints what is needed', async (t) => {
  const clone = bareClone(t);
  const tools = temporaryFolder(t);
  for (const tool of ['grep', 'readlink', 'rm']) fs.symlinkSync(`/bin/${tool}`, path.join(tools, tool));
  const { code, stderr } = await firstUse(clone, tools).ended;
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: queuectl has to install packages for its first use, and npm is not on the PATH\n hint: /,
  );
});

test('a newer lock file installs again, and one with an implausible date only once', async (t) => {
  const clone = withQuickBuild(bareClone(t));
  const PATH = pathWithNpm(t, installingNpm);
  await firstUse(clone, PATH).ended;
  const future = new Date(Date.now() + 3_600_000);
  fs.utimesSync(path.join(clone, 'toolchain', 'package-lock.json'), future, future);
  assert.match((await firstUse(clone, PATH).ended).stderr, /installing/);
  assert.equal((await firstUse(clone, PATH).ended).stderr, '');
});
