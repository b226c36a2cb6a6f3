// Paths and arguments for starting this program again and for its files.

import { dirname, join } from 'node:path';

const program = (): string => process.argv[1] ?? '';

export const thisProgram = (...args: readonly string[]): string[] => [
  ...process.execArgv,
  program(),
  ...args,
];

/** The command that delivers a webhook; the address follows it. */
export const webhookProgram = (): string[] => [process.execPath, ...thisProgram('__webhook')];

/** The program of a worker's guard, next to this one. */
export const guardProgram = (): string[] => [...process.execArgv, join(dirname(program()), 'guard.cjs')];

/** The directory of the dashboard, next to this program. */
export const pageFolder = (): string => join(dirname(program()), 'page');
