// Runs system tools: systemctl, launchctl, loginctl. Their output is requested in English and UTC, whatever the user's
// locale.

import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { QueueError } from '../errors/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PLAIN: Environment = {
  LC_ALL: 'C',
  TZ: 'UTC',
  SYSTEMD_COLORS: '0',
  SYSTEMD_PAGER: '',
  SYSTEMD_LESS: '',
};
const NOT_FOUND = 127;

export const plainly = (environment: Environment): NodeJS.ProcessEnv => ({ ...environment, ...PLAIN });

/** Returns the result, whatever it is; code 127 if the program does not exist. */
export function ask(environment: Environment, program: string, ...args: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, args, { env: plainly(environment), encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else resolve({ code: NOT_FOUND, stdout, stderr: stderr || error.message });
    });
  });
}

/** Returns the output, or throws an error with the tool's message. */
export async function run(environment: Environment, program: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await ask(environment, program, ...args);
  if (code === 0) return stdout;
  throw new QueueError('service_manager_failed', {
    command: [program, ...args].join(' '),
    problem: lastLine(stderr) || lastLine(stdout) || `exit code ${code}`,
  });
}

export const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';

/** True if the program is in the PATH. */
export const isThere = (environment: Environment, program: string): boolean =>
  (environment.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
