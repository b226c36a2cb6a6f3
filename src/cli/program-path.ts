// Paths and arguments for starting this program again and for its files. In a single executable, the program is
// process.execPath itself, and its files are in it.

import { dirname, join } from 'node:path';
import { type BuiltPage, pageIn } from '../server/http/built-page.ts';

const { getAssetKeys, getRawAsset, isSea } = process.getBuiltinModule('node:sea');

const program = (): string => process.argv[1] ?? '';

export const thisProgram = (...args: readonly string[]): string[] =>
  isSea() ? [...args] : [...process.execArgv, program(), ...args];

/** The command that delivers a webhook; the address follows it. */
export const webhookProgram = (): string[] => [process.execPath, ...thisProgram('__webhook')];

/** The program of a worker's guard, next to this one. */
export const guardProgram = (): string[] =>
  isSea() ? ['__guard'] : [...process.execArgv, join(dirname(program()), 'guard.cjs')];

/** The dashboard, next to this program. */
export const builtPage = (): BuiltPage => (isSea() ? pageInExecutable : pageIn(join(dirname(program()), 'page')));

const pageInExecutable: BuiltPage = {
  names: () => getAssetKeys().flatMap((key) => (key.startsWith('page/') ? [key.slice('page/'.length)] : [])),
  read: (name) => new Uint8Array(getRawAsset(`page/${name}`) as ArrayBuffer),
};
