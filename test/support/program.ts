// The program that the tests of the command line run: this clone's, or another one that the environment names.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Set to the path of another bin/queuectl, the tests run that one. */
export const PROGRAM = 'QUEUECTL_TEST_PROGRAM';

export const isAnotherProgram = (): boolean => process.env[PROGRAM] !== undefined;

const root = path.join(import.meta.dirname, '..', '..');

let isChosen = false;

export function programUnderTest(): string {
  isChosen = true;
  return process.env[PROGRAM] ?? path.join(root, 'bin', 'queuectl');
}

/** For a test file that runs another program. Fails if an import of the file has already asked for the program. */
export function useProgram(program: string): void {
  if (isChosen) throw new Error('the tests have already chosen their program');
  process.env[PROGRAM] = program;
}

/** Contains Node, and is therefore large. */
export const isExecutable = (): boolean => fs.statSync(programUnderTest()).size > 1_000_000;

/** The ways to install queuectl. Each one makes the program in an empty directory and returns its path. */
export const PROGRAMS: Readonly<Record<string, (folder: string) => string | Promise<string>>> = {
  clone: () => path.join(root, 'bin', 'queuectl'),
  package: installedPackage,
  executable: builtExecutable,
};

/** As from npm, with the Node of this process on the PATH of the tests, which begins with the directory of the program. */
function installedPackage(folder: string): string {
  const npm = (...args: string[]): string =>
    execFileSync('npm', [...args, '--silent'], { cwd: root, encoding: 'utf8' });
  const archive = npm('pack', '--ignore-scripts', '--pack-destination', folder).trim();
  npm('install', '--global', '--offline', '--prefix', folder, path.join(folder, archive));
  fs.symlinkSync(process.execPath, path.join(folder, 'bin', 'node'));
  return path.join(folder, 'bin', 'queuectl');
}

async function builtExecutable(folder: string): Promise<string> {
  const { executableFor } = await import('../../scripts/release/executable.ts');
  const { nodeFor, ownPlatform } = await import('../../scripts/release/platforms.ts');
  const platform = ownPlatform();
  if (!platform) throw new Error(`there is no executable for ${process.platform} on ${process.arch}`);
  return executableFor(platform, nodeFor(platform, folder), folder);
}
