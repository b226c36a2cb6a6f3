// Runs the tests from a fresh clone: installs the development packages, builds, then runs node --test, or
// scripts/test-all.ts for all. Arguments select tests: directories, files, patterns or parts of paths, such as `policy`.
// Options such as --test-name-pattern=TEXT are passed on.
//   --program clone|package|executable   run the command line's tests with this program; by default its core

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { newFolder } from '../test/support/folder.ts';
import { withPlace } from '../test/support/place.ts';
import { PROGRAM, PROGRAMS } from '../test/support/program.ts';

const ALL = 'test/**/*.test.ts';
/** More than the cores of a small machine, because many tests wait more than they compute. */
const AT_ONCE = 6;
/** What every program must be able to do. */
const CORE = 'test/release/core.test.ts';
/** Tests run workers in their process, which use FFI. */
const QUIET = '--disable-warning=ExperimentalWarning';

const root = path.join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const kind = takeProgram();
const options = args.filter((arg) => arg.startsWith('-'));
const files = args.filter((arg) => !arg.startsWith('-')).flatMap(testsNamed);

run('scripts/install', '.');
run('scripts/prepare');
const needsPostgres = files.length === 0 || files.some(mentionsPostgres);
// Exits explicitly, because the server package ends this process itself and would lose a merely set exit code.
process.exit(
  await withPlace(async () => {
    await choose(kind);
    return needsPostgres ? testWithPostgres() : runTests(process.env);
  }),
);

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
  const tests = spawn(process.execPath, [QUIET, ...(args.length > 0 ? [...some, ...chosen] : all)], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  const [status] = await once(tests, 'exit');
  return status ?? 1;
}

/** Removes `--program KIND` from the arguments. */
function takeProgram(): string | undefined {
  const at = args.indexOf('--program');
  if (at < 0) return undefined;
  const [, name = ''] = args.splice(at, 2);
  if (args.length === 0) args.push(CORE);
  if (Object.hasOwn(PROGRAMS, name)) return name;
  console.error(`error: unknown program '${name}'; use one of ${Object.keys(PROGRAMS).join(', ')}`);
  process.exit(1);
}

/** Tests run the program of this clone unless the environment names another one. */
async function choose(name = 'clone'): Promise<void> {
  if (name !== 'clone') process.env[PROGRAM] = await PROGRAMS[name]?.(newFolder(`${name}-`));
}

function testsNamed(name: string): string[] {
  const found = fs.statSync(path.resolve(root, name), { throwIfNoEntry: false });
  if (found?.isFile()) return [name];
  const pattern = found?.isDirectory() ? path.join(name, '**', '*.test.ts') : name;
  const matching = fs.globSync(pattern, { cwd: root });
  const named = matching.length > 0 ? matching : fs.globSync(ALL, { cwd: root }).filter((file) => file.includes(name));
  if (named.length > 0) return named;
  console.error(`error: no test file matches '${name}'; give a directory, a file or a part of a path below test/`);
  process.exit(1);
}

/** Any other test that needs a server starts one for itself. */
function mentionsPostgres(file: string): boolean {
  return /postgres/i.test(file + fs.readFileSync(path.resolve(root, file), 'utf8'));
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
