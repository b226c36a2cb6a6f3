// Running what the system brings to keep services: systemctl, launchctl, loginctl. Their words are asked for in English and
// their times in UTC, whatever the user's language.

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

/** Its answer, whatever that is; code 127 when there is no such program. */
export function ask(environment: Environment, program: string, ...args: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, args, { env: plainly(environment), encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else resolve({ code: NOT_FOUND, stdout, stderr: stderr || error.message });
    });
  });
}

/** What it prints; an error with its own words if it does not succeed. */
export async function tell(
  environment: Environment,
  program: string,
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout, stderr } = await ask(environment, program, ...args);
  if (code === 0) return stdout;
  throw new QueueError('service_manager_failed', {
    command: [program, ...args].join(' '),
    problem: lastLine(stderr) || lastLine(stdout) || `exit code ${code}`,
  });
}

export const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';

/** Whether the PATH has such a program. */
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
