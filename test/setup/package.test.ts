// The package that npm would publish: complete, small, and clear about the Node it needs.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { builtClone, installedClone, launcher, repository, run, temporaryFolder } from './clone.ts';

const bundledNode = path.join(repository, 'toolchain', 'node_modules', '.bin');

test('the package contains a fresh build and runs once installed', async (t) => {
  const clone = installedClone(t);
  const prefix = temporaryFolder(t);
  fs.mkdirSync(path.join(clone, 'dist', 'parts'), { recursive: true });
  for (const name of ['of-yesterday.mjs', 'parts/yaml-000000000000.cjs'])
    fs.writeFileSync(path.join(clone, 'dist', name), '');

  const packed = await run('npm', { args: ['pack', '--json', '--silent'], cwd: clone });
  assert.equal(packed.code, 0, packed.stderr);
  const [{ filename, files }] = JSON.parse(packed.stdout);
  const inFolders = files.map((file: { path: string }) => file.path).filter((name: string) => name.includes('/'));
  const built = fs.readdirSync(path.join(clone, 'dist', 'parts')).map((name) => `dist/parts/${name}`);
  assert.ok(built.some((name) => /postgres-[0-9a-f]{12}\.cjs$/.test(name)));
  assert.ok(!built.includes('dist/parts/yaml-000000000000.cjs'));
  const ofThePage = inFolders.filter((name: string) => name.startsWith('dist/page/'));
  assert.ok(ofThePage.includes('dist/page/index.html'));
  assert.ok(ofThePage.some((name: string) => /^dist\/page\/assets\/page-\w+\.js\.br$/.test(name)));
  const ofTheLibrary = inFolders.filter((name: string) => name.startsWith('dist/library/'));
  for (const name of ['index.js', 'index.d.ts', 'client.js', 'client.d.ts'])
    assert.ok(ofTheLibrary.includes(`dist/library/${name}`));
  const others = inFolders.filter((name: string) => ![...ofThePage, ...ofTheLibrary].includes(name));
  assert.deepEqual(others.sort(), [
    'bin/queuectl',
    'dist/guard.cjs',
    'dist/main.cjs',
    'dist/main.cjs.map',
    ...built.sort(),
    'dist/queuectl.cjs',
  ]);

  const args = ['install', '--global', '--offline', '--prefix', prefix, path.join(clone, filename)];
  const installed = await run('npm', { args });
  assert.equal(installed.code, 0, installed.stderr);
  const env = { ...process.env, PATH: `${bundledNode}:/usr/bin:/bin` };
  const { code, stdout, stderr } = await run(path.join(prefix, 'bin', 'queuectl'), {
    args: ['--version'],
    env,
  });
  const { version } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
  assert.equal(code, 0, stderr);
  assert.equal(stdout, `queuectl ${version} (npm)\n`, 'no commit, because the clone of the test has no .git');
  assert.equal(stderr, '');

  const withOptions = ['enqueue', '--json', '--', 'prog', '--env-file=.env', '--experimental-config-file=x'];
  const enqueued = await run(path.join(prefix, 'bin', 'queuectl'), {
    args: withOptions,
    env: { ...env, QUEUECTL_HOME: path.join(prefix, 'home') },
  });
  assert.equal(enqueued.code, 0, enqueued.stderr);
  assert.deepEqual(JSON.parse(enqueued.stdout)[0].command, withOptions.slice(3));

  const withPart = await run(path.join(prefix, 'bin', 'queuectl'), {
    args: ['schedule', 'add', 'nightly', '--cron', '@daily', 'true'],
    env: { ...env, QUEUECTL_HOME: path.join(prefix, 'home') },
  });
  assert.equal(withPart.code, 0, withPart.stderr);
});

test('an old Node gets one clear sentence', async (t) => {
  const clone = builtClone(t);
  const pretend = path.join(temporaryFolder(t), 'old.cjs');
  const versions = "{ value: { ...process.versions, node: '18.20.1' } }";
  fs.writeFileSync(pretend, `Object.defineProperty(process, 'versions', ${versions});`);
  const args = ['--require', pretend, path.join(clone, 'dist', 'queuectl.cjs'), '--version'];
  const { code, stdout, stderr } = await run(process.execPath, { args });
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(stderr, /^error: queuectl needs Node 24 or newer, this is v[\d.]+ \(\/.+\)\n hint: .+\n$/);
});

test('without any Node an installed package explains what is missing', async (t) => {
  const folder = temporaryFolder(t);
  fs.cpSync(path.join(repository, 'bin'), path.join(folder, 'bin'), { recursive: true });
  const { code, stderr } = await run(launcher(folder), { env: { PATH: '/nowhere' } });
  assert.equal(code, 1);
  assert.match(stderr, /^error: queuectl needs Node 24 or newer, and there is no node on the PATH\n hint: .+\n$/);
});

test('lock files contain no download addresses', () => {
  for (const folder of ['.', 'toolchain', 'test/oldest-node']) {
    const text = fs.readFileSync(path.join(repository, folder, 'package-lock.json'), 'utf8');
    assert.doesNotMatch(text, /"resolved"/, folder);
  }
});

test('the bundled code is the tested code', () => {
  const versionIn = (folder: string): string => {
    const lock = fs.readFileSync(path.join(repository, folder, 'package-lock.json'), 'utf8');
    return JSON.parse(lock).packages['node_modules/pg'].version;
  };
  assert.equal(versionIn('toolchain'), versionIn('.'));
});
