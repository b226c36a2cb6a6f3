// Runs the tests, from a bare clone on: installs the development packages, builds, then node --test.
// Arguments go on to it. Files and folders choose what runs (default: all of test/), options how.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const args = process.argv.slice(2).map(folderToPattern);
const files = args.filter((arg) => arg.endsWith('.ts'));
const options = args.filter((arg) => !arg.endsWith('.ts'));

run('scripts/install', '.');
run('scripts/prepare');
run(
  process.execPath,
  '--test',
  '--test-concurrency=2',
  '--test-reporter=spec',
  ...options,
  ...(files.length > 0 ? files : ['test/**/*.test.ts']),
);

function folderToPattern(arg: string): string {
  const isFolder = fs.statSync(path.join(root, arg), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? `${arg}/**/*.test.ts` : arg;
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
