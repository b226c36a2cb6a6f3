// Decodes the stored command and environment of a job. Records may have been edited manually, so an unreadable one is
// reported for its job and does not affect others.

import { confinementOf } from './isolation/isolation.ts';
import type { Command, Ending, Job } from './job.ts';
import { jsonIn } from './stored-json.ts';

/** Column values as stored. */
export interface StoredTask {
  readonly command: unknown;
  readonly isArgv: boolean;
  readonly timeoutSeconds: unknown;
  readonly cwd: unknown;
  readonly env: unknown;
  readonly confinement: unknown;
}

export type ReadTask = Pick<Job, 'command' | 'timeoutSeconds' | 'cwd' | 'env' | 'confinement'> & {
  /** Problem with the record; absent if it is valid. A malformed job can be shown but not run. */
  readonly malformed?: string;
};

export function readTask(stored: StoredTask): ReadTask {
  const [command, env] = [readCommand(stored), readEnv(stored.env)];
  const confinement = confinementOf(stored.confinement);
  const isTimeout = stored.timeoutSeconds === null || typeof stored.timeoutSeconds === 'number';
  const isCwd = stored.cwd === null || typeof stored.cwd === 'string';
  const task = {
    command: command ?? String(stored.command),
    timeoutSeconds: isTimeout ? (stored.timeoutSeconds as number | null) : null,
    cwd: isCwd ? (stored.cwd as string | null) : null,
    env: env ?? {},
    confinement: confinement ?? null,
  };
  if (command && env && isTimeout && isCwd && confinement !== undefined) return task;
  if (confinement === undefined) return { ...task, malformed: 'invalid isolation settings' };
  return { ...task, malformed: problemOf(command !== null, env !== null, isTimeout) };
}

function problemOf(isCommand: boolean, isEnv: boolean, isTimeout: boolean): string {
  if (!isCommand) return 'the command is neither a string nor a list of strings';
  if (!isEnv) return 'env is not an object of strings';
  return isTimeout ? 'cwd is not a string' : 'timeout_seconds is not a number';
}

export function readCommand({ command, isArgv }: Pick<StoredTask, 'command' | 'isArgv'>): Command | null {
  if (!isArgv) return typeof command === 'string' && command !== '' ? command : null;
  const words = jsonIn(command);
  return Array.isArray(words) && words.length > 0 && words.every(isText) ? words : null;
}

export function readEnv(env: unknown): Record<string, string> | null {
  if (env === null) return {};
  const values = jsonIn(env);
  const isObject = typeof values === 'object' && values !== null && !Array.isArray(values);
  return isObject && Object.values(values).every(isText) ? (values as Record<string, string>) : null;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The ending of an attempt whose job record is unreadable. */
export const endingOfMalformed = (problem: string): Ending => ({
  outcome: 'malformed',
  exitCode: null,
  signal: null,
  error: `invalid job record: ${problem}`,
  durationMs: 0,
});
