// The exit codes of every command.

import type { Term } from './page.ts';

export const EXIT_CODES: readonly Term[] = [
  ['0', 'success'],
  ['1', 'failed at run time'],
  ['2', 'invalid usage or input; nothing was changed'],
  ['3', 'not found'],
  ['4', 'conflict, such as an ID that already exists or a job in the wrong state'],
  ['5', 'the database or server is unreachable, locked, damaged or too new'],
  ['124', 'wait timed out'],
  ['other', "run and wait exit with the job's exit code"],
];
