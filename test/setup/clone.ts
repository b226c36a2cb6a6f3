// A clone of this repository in a temporary folder, as a fresh `git clone` would make it, and ways to run things there.
// Its path has a space in it, throughout. Gone, with all it holds, when the test ends.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder as folderOf } from '../support/folder.ts';

export const repository = path.join(import.meta.dirname, '..', '..');
const toolchain = path.join(repository, 'toolchain', 'node_modules');
const cloned = ['bin', 'scripts', 'src', 'page', 'toolchain', 'package.json', 'package-lock.json', '.npmrc', 'LICENSE'];

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Options {
  args?: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Not as root, whom no file mode stops. */
  unprivileged?: boolean;
}

export const temporaryFolder = (t: TestContext): string => folderOf(t, 'queuectl setup ');

/** Nothing installed, nothing built. */
export function bareClone(t: TestContext): string {
  const clone = path.join(temporaryFolder(t), 'a clone');
  fs.mkdirSync(clone);
  const isSource = (file: string) => path.basename(file) !== 'node_modules';
  for (const name of cloned) {
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: isSource };
    fs.cpSync(path.join(repository, name), path.join(clone, name), options);
  }
  return clone;
}

/** From now on its build takes no time: it takes over what this repository has built. */
export function withQuickBuild(clone: string): string {
  const [from, to] = [repository, clone].map((folder) => JSON.stringify(path.join(folder, 'dist')));
  const text = `import fs from 'node:fs';\nfs.cpSync(${from}, ${to}, { recursive: true });\n`;
  const build = path.join(clone, 'scripts', 'build.ts');
  const { atime, mtime } = fs.statSync(build);
  fs.writeFileSync(build, text);
  fs.utimesSync(build, atime, mtime); // it is no newer than what was built
  return clone;
}

/** Installed, not built: it shares the toolchain of this repository. */
export function installedClone(t: TestContext): string {
  const clone = bareClone(t);
  fs.symlinkSync(toolchain, path.join(clone, 'toolchain', 'node_modules'));
  return clone;
}

/** Installed and built, as this repository is: the same sources, and what was made of them. */
export function builtClone(t: TestContext): string {
  const clone = installedClone(t);
  const options = { recursive: true, preserveTimestamps: true };
  fs.cpSync(path.join(repository, 'dist'), path.join(clone, 'dist'), options);
  return clone;
}

/** Installed and built, except that the program is one that prints its arguments as JSON. */
export function cloneWithProbe(t: TestContext): string {
  const clone = installedClone(t);
  writeProgram(clone, 'console.log(JSON.stringify(process.argv.slice(2)));');
  return clone;
}

/** A source that each list of the launcher has. */
const COMPARED = {
  plain: 'src/errors/errors.ts',
  enqueue: 'src/queue/rerun.ts',
  others: 'src/worker/worker.ts',
  serve: 'page/main.tsx',
};

export function writeProgram(clone: string, text: string): void {
  fs.mkdirSync(path.join(clone, 'dist'), { recursive: true });
  for (const [list, source] of Object.entries(COMPARED))
    fs.writeFileSync(path.join(clone, 'dist', `sources.${list}`), `sources="$sources ${source}"\n`);
  fs.writeFileSync(path.join(clone, 'dist', 'queuectl.cjs'), text);
}

/** A folder for the PATH with the usual tools and a `npm` that is this shell script. */
export function pathWithNpm(t: TestContext, script: string): string {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:/usr/bin:/bin`;
}

/** What `npm ci` does in the toolchain folder, without the download. */
export const installingNpm = `
mkdir node_modules
ln -s '${toolchain}'/.bin '${toolchain}'/* node_modules
cp '${toolchain}/.package-lock.json' node_modules`;

export function launcher(clone: string): string {
  return path.join(clone, 'bin', 'queuectl');
}

/** In a process group of its own, so that `interrupt` can reach all of it. */
export function start(command: string, { args = [], cwd, env = process.env, unprivileged }: Options = {}) {
  const user = unprivileged && process.getuid?.() === 0 ? { uid: 65534 } : {};
  const child = spawn(command, args, {
    cwd,
    env,
    ...user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (result.stderr += text));
  const ended = new Promise<Result>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...result, code }));
  });
  const interrupt = (signal: NodeJS.Signals) => process.kill(-Number(child.pid), signal);
  return { ended, interrupt, stderrSoFar: () => result.stderr };
}

export function run(command: string, options?: Options): Promise<Result> {
  return start(command, options).ended;
}
