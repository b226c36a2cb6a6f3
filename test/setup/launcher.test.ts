// bin/queuectl: found from anywhere, fast when nothing changed, rebuilt when something did.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  cloneWithProbe,
  builtClone,
  installedClone,
  launcher,
  pathWithNpm,
  run,
  temporaryFolder,
  withQuickBuild,
  writeProgram,
} from './clone.ts';

test('arguments arrive unchanged', async (t) => {
  const args = ['a b', '', '*', "it's", '--', '$HOME', 'line\nbreak'];
  const { stdout, stderr } = await run(launcher(cloneWithProbe(t)), { args });
  assert.deepEqual(JSON.parse(stdout), args);
  assert.equal(stderr, '');
});

test('it runs from any directory, by absolute and relative path', async (t) => {
  const clone = cloneWithProbe(t);
  const elsewhere = temporaryFolder(t);
  const places = [
    { command: launcher(clone), cwd: elsewhere },
    { command: path.relative(elsewhere, launcher(clone)), cwd: elsewhere },
    { command: './bin/queuectl', cwd: clone },
    { command: 'bin/queuectl', cwd: clone },
    { command: './queuectl', cwd: path.join(clone, 'bin') },
    { command: '../bin/queuectl', cwd: path.join(clone, 'src') },
    { command: '../queuectl', cwd: fs.mkdtempSync(path.join(clone, 'bin', 'inner')) },
  ];
  for (const { command, cwd } of places) {
    const { stdout, stderr } = await run(command, { args: ['x'], cwd });
    assert.equal(stdout, '["x"]\n', `${command}: ${stderr}`);
  }
});

test('it runs from the PATH and by name through sh', async (t) => {
  const clone = cloneWithProbe(t);
  const bin = path.join(clone, 'bin');
  const fromPath = await run('sh', { args: ['-c', 'queuectl x'], env: { PATH: `${bin}:/usr/bin:/bin` } });
  const byName = await run('sh', { args: ['queuectl', 'x'], cwd: bin });
  assert.deepEqual([fromPath.stdout, byName.stdout], ['["x"]\n', '["x"]\n']);
});

test('it runs through symbolic links to the file, its directory and the clone', async (t) => {
  const clone = cloneWithProbe(t);
  const links = temporaryFolder(t);
  const link = (name: string, target: string) => {
    fs.symlinkSync(target, path.join(links, name));
    return path.join(links, name);
  };
  link('absolute', launcher(clone));
  link('relative', path.join('..', path.relative(path.dirname(links), launcher(clone))));
  link('bin', path.join(clone, 'bin'));
  link('clone', clone);
  fs.symlinkSync(path.join(links, 'absolute'), path.join(clone, 'bin', 'own'));
  const ways = ['absolute', 'relative', 'bin/queuectl', 'bin/own', 'clone/bin/queuectl'];
  for (const way of ways) {
    const { stdout, stderr } = await run(path.join(links, way), { args: ['x'], cwd: links });
    assert.equal(stdout, '["x"]\n', `${way}: ${stderr}`);
  }
});

test('with nothing to build it starts no process but Node', async (t) => {
  const { stdout, stderr } = await run(launcher(cloneWithProbe(t)), {
    args: ['x'],
    env: { PATH: '/nowhere' },
  });
  assert.deepEqual({ stdout, stderr }, { stdout: '["x"]\n', stderr: '' });
});

test("the exit code is the program's", async (t) => {
  const clone = installedClone(t);
  writeProgram(clone, 'process.exitCode = 7;');
  assert.equal((await run(launcher(clone))).code, 7);
});

test('after an edit of sources it is built again, silently and without npm, parts included', async (t) => {
  const clone = builtClone(t);
  const env = {
    PATH: pathWithNpm(t, 'echo npm was called >&2; exit 1'),
    HOME: temporaryFolder(t),
  };
  const version = () => run(launcher(clone), { args: ['--version'], env });
  assert.deepEqual({ ...(await version()), stdout: '' }, { code: 0, stdout: '', stderr: '' });

  fs.appendFileSync(path.join(clone, 'src', 'cli', 'main.ts'), "console.error('edited');\n");
  fs.appendFileSync(path.join(clone, 'src', 'flow', 'yaml.ts'), "console.error('edited, a part');\n");
  assert.deepEqual({ ...(await version()), stdout: '' }, { code: 0, stdout: '', stderr: 'edited\n' });
  const enqueued = await run(launcher(clone), { args: ['enqueue', `@${flowFile(clone)}`], env });
  assert.deepEqual([enqueued.code, enqueued.stderr], [0, 'edited\nedited, a part\n']);
});

function flowFile(clone: string): string {
  const file = path.join(clone, 'flow.yaml');
  fs.writeFileSync(file, '- command: "true"\n');
  return file;
}

/** Whether these words have the program built again. */
function builder(clone: string, env: NodeJS.ProcessEnv = process.env) {
  return async (...args: string[]): Promise<boolean> => {
    const program = path.join(clone, 'dist', 'queuectl.cjs');
    const before = fs.statSync(program).mtimeMs;
    const { code, stderr } = await run(launcher(clone), { args, env });
    assert.equal(code, 0, stderr);
    return fs.statSync(program).mtimeMs !== before;
  };
}

test('after an edit of a source that only a part has it is built again', async (t) => {
  const clone = withQuickBuild(builtClone(t));
  const isBuiltBy = builder(clone, { PATH: process.env.PATH, HOME: temporaryFolder(t) });
  const flow = flowFile(clone);
  assert.equal(await isBuiltBy('enqueue', `@${flow}`), false);
  fs.appendFileSync(path.join(clone, 'src', 'flow', 'yaml.ts'), '\n');
  assert.equal(await isBuiltBy('enqueue', `@${flow}`), true);
  assert.equal(await isBuiltBy('enqueue', `@${flow}`), false);
});

test('after an edit of the page or the server it is built again by serve', async (t) => {
  const clone = withQuickBuild(builtClone(t));
  const isBuiltBy = builder(clone);
  assert.equal(await isBuiltBy('--version'), false);
  fs.appendFileSync(path.join(clone, 'page', 'main.tsx'), '\n');
  fs.appendFileSync(path.join(clone, 'src', 'server', 'serve.ts'), '\n');
  assert.equal(await isBuiltBy('--version'), false);
  assert.equal(await isBuiltBy('serve', '--help'), true);
  assert.equal(await isBuiltBy('serve', '--help'), false);
});

test('after an edit of a file that enqueue never needs it is built again by the next other command', async (t) => {
  const clone = cloneWithProbe(t);
  const isOutdatedFor = async (...args: string[]) =>
    (await run(launcher(clone), { args, env: { PATH: pathWithNpm(t, 'exit 1') } })).code !== 0;
  fs.rmSync(path.join(clone, 'scripts', 'prepare'));
  const edit = (file: string, byMs = 5000) => {
    const at = new Date(Date.now() + byMs);
    fs.utimesSync(path.join(clone, file), at, at);
  };
  assert.equal(await isOutdatedFor('status'), false);
  edit('src/queue/rerun.ts');
  assert.equal(await isOutdatedFor('enqueue', 'echo hello'), false);
  for (const more of [['--priority', '2', 'true'], ['-'], ['@jobs.json'], [' {"command":"true"}']])
    assert.equal(await isOutdatedFor('enqueue', ...more), true, more.join(' '));
  assert.equal(await isOutdatedFor('status'), true);
  edit('src/queue/rerun.ts', -5000);
  edit('src/worker/worker.ts');
  assert.equal(await isOutdatedFor('enqueue', 'true'), false);
  assert.equal(await isOutdatedFor('enqueue', '--priority', '2', 'true'), false);
  for (const more of [['--wait'], ['--db', 'postgres://localhost/q'], ['--server', 'http://localhost']])
    assert.equal(await isOutdatedFor('enqueue', 'true', ...more), true);
  assert.equal(await isOutdatedFor('status'), true);
  edit('src/errors/errors.ts');
  assert.equal(await isOutdatedFor('enqueue', 'true'), true);
});

test('a source that does not compile is reported, and the last good build is kept', async (t) => {
  const clone = builtClone(t);
  const built = path.join(clone, 'dist', 'queuectl.cjs');
  await run(launcher(clone), { args: ['--version'] });
  const before = fs.readFileSync(built, 'utf8');
  fs.appendFileSync(path.join(clone, 'src', 'cli', 'main.ts'), 'const = ;\n');
  const { code, stderr } = await run(launcher(clone), { args: ['--version'] });
  assert.equal(code, 1);
  assert.match(stderr, /src\/cli\/main\.ts/);
  assert.equal(fs.readFileSync(built, 'utf8'), before);
});

test('a prepared read-only clone runs as it is', async (t) => {
  const clone = installedClone(t);
  writeProgram(clone, '');
  const toolchain = path.join(clone, 'toolchain', 'node_modules');
  fs.unlinkSync(toolchain);
  fs.mkdirSync(path.join(toolchain, '.bin'), { recursive: true });
  fs.writeFileSync(path.join(toolchain, '.bin', 'node'), '#!/bin/sh\necho "Node was started"\n', {
    mode: 0o755,
  });
  const future = new Date(Date.now() + 60_000);
  fs.utimesSync(path.join(clone, 'src', 'errors', 'errors.ts'), future, future);
  fs.chmodSync(path.dirname(clone), 0o755);
  fs.chmodSync(path.join(clone, 'dist'), 0o555);

  const { stdout, stderr } = await run(launcher(clone), { unprivileged: true, cwd: clone });
  fs.chmodSync(path.join(clone, 'dist'), 0o755);
  assert.deepEqual({ stdout, stderr }, { stdout: 'Node was started\n', stderr: '' });
});

test('compiled code is stored only in a directory of the user', async (t) => {
  const clone = builtClone(t);
  const home = temporaryFolder(t);
  const { PATH } = process.env;
  const kept = () => fs.existsSync(path.join(home, '.cache', 'queuectl'));
  const cases = [
    { env: { PATH, HOME: '/nowhere' }, keeps: false },
    { env: { PATH }, keeps: false },
    { env: { PATH, HOME: home }, keeps: true },
  ];
  for (const { keeps, env } of cases) {
    const { code, stderr } = await run(launcher(clone), { args: ['--version'], env });
    assert.deepEqual({ code, stderr, kept: kept() }, { code: 0, stderr: '', kept: keeps });
  }
});

test('compiled code that is damaged or of another build is replaced', async (t) => {
  const clone = builtClone(t);
  const env = { PATH: process.env.PATH, HOME: temporaryFolder(t) };
  const version = () => run(launcher(clone), { args: ['--version'], env });
  const { stdout } = await version();
  const folder = path.join(env.HOME, '.cache', 'queuectl');
  assert.deepEqual(fs.globSync(path.join(folder, '*', '*')), [], 'the first command saves the time');
  await version();
  const [kept = '', ...others] = fs.globSync(path.join(folder, '*', 'other-main-*'));
  assert.deepEqual(others, []);
  const whole = fs.readFileSync(kept);
  const blank = Buffer.concat([whole.subarray(0, 64), Buffer.alloc(whole.length - 64)]);
  const otherBuild = Buffer.concat([Buffer.alloc(64, 'x'), whole.subarray(64)]);
  for (const damaged of [otherBuild, whole.subarray(0, 1000), Buffer.from('garbage'), blank]) {
    fs.writeFileSync(kept, damaged);
    const again = await version();
    assert.deepEqual({ code: again.code, stdout: again.stdout, stderr: again.stderr }, { code: 0, stdout, stderr: '' });
    assert.deepEqual(fs.readFileSync(kept).subarray(0, 64), whole.subarray(0, 64));
    const unfinished = fs.readdirSync(path.dirname(kept)).filter((name) => !name.endsWith(process.arch));
    assert.deepEqual(unfinished, []);
  }
});

test('if compiled code cannot be stored, commands still work', async (t) => {
  const clone = builtClone(t);
  const home = temporaryFolder(t);
  fs.writeFileSync(path.join(home, '.cache'), 'a file where a folder should be');
  for (const HOME of [home, path.join(home, '.cache', 'below a file')]) {
    const { code, stderr } = await run(launcher(clone), {
      args: ['--version'],
      env: { PATH: process.env.PATH, HOME },
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  }
});

test('a failing command stores no compiled code, as the next one needs more of it', async (t) => {
  const clone = builtClone(t);
  const env = { PATH: process.env.PATH, HOME: temporaryFolder(t) };
  const { code } = await run(launcher(clone), { args: ['enqueue'], env });
  assert.equal(code, 2);
  assert.ok(!fs.existsSync(path.join(env.HOME, '.cache')));
});

test('QUEUECTL_DEBUG shows the lines of the sources', async (t) => {
  const clone = builtClone(t);
  const env = { PATH: process.env.PATH, HOME: temporaryFolder(t), QUEUECTL_DEBUG: '1' };
  const { code, stderr } = await run(launcher(clone), { args: ['show', 'none'], env });
  assert.equal(code, 3);
  assert.match(stderr, /at .+\/src\/store\/shared\/query\.ts:\d+:\d+\)/);
});
