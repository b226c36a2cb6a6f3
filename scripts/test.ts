// Runs the tests from a fresh clone: installs the development packages, builds, then runs node --test, or
// scripts/test-all.ts for all. Arguments are passed on. Files and directories select tests (default: all of test/);
// options control the run.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { withPlace } from '../test/support/place.ts';

const ALL = 'test/**/*.test.ts';
/** More than the cores of a small machine, because many tests wait more than they compute. */
const AT_ONCE = 4;

const root = path.join(import.meta.dirname, '..');
const args = process.argv.slice(2).map(folderToPattern);
const files = args.filter((arg) => arg.endsWith('.ts'));
const options = args.filter((arg) => !arg.endsWith('.ts'));

run('scripts/install', '.');
run('scripts/prepare');
const needsPostgres = files.length === 0 || files.some((file) => /postgres|\*/.test(file));
// Exits explicitly, because the server package ends this process itself and would lose a merely set exit code.
process.exit(await withPlace(() => (needsPostgres ? testWithPostgres() : runTests(process.env))));

/** Starts one server for all tests and stops it whatever happens. */
async function testWithPostgres(): Promise<number> {
  const { withSharedServer } = await import('../test/support/server.ts');
  return withSharedServer(runTests);
}

/** Not spawnSync, because the server's output has to be read while the tests run. */
async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const some = ['--test', `--test-concurrency=${AT_ONCE}`, '--test-reporter=spec', ...options];
  const all = ['scripts/test-all.ts', String(AT_ONCE)];
  const chosen = files.length > 0 ? files : [ALL];
  const tests = spawn(process.execPath, args.length > 0 ? [...some, ...chosen] : all, {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  const [status] = await once(tests, 'exit');
  return status ?? 1;
}

function folderToPattern(arg: string): string {
  const isFolder = fs.statSync(path.join(root, arg), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? `${arg}/**/*.test.ts` : arg;
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
