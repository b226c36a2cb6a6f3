// This program, to be run once more beside itself: arguments for process.execPath.

import { dirname, join } from 'node:path';

const program = (): string => process.argv[1] ?? '';

export const thisProgram = (...args: readonly string[]): string[] => [
  ...process.execArgv,
  program(),
  ...args,
];

/** This program as the sender of a webhook, whose address follows. */
export const webhookProgram = (): string[] => [process.execPath, ...thisProgram('__webhook')];

/** The program of a worker's guard; it is beside this one. */
export const guardProgram = (): string[] => [...process.execArgv, join(dirname(program()), 'guard.cjs')];

/** What `queuectl serve` gives to browsers; it lies beside this one. */
export const pageFolder = (): string => join(dirname(program()), 'page');
