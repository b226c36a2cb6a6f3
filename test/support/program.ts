// The program that the tests of the command line run: this repository's, or another one that the environment names.

import path from 'node:path';

/** Set to the path of another bin/queuectl, the tests run that one. */
export const PROGRAM = 'QUEUECTL_TEST_PROGRAM';

export const isAnotherProgram = (): boolean => process.env[PROGRAM] !== undefined;

export const programUnderTest = (): string =>
  process.env[PROGRAM] ?? path.join(import.meta.dirname, '..', '..', 'bin', 'queuectl');
