// Reads the unique key of a job, how long it applies, and what happens if another job has it.

import { parseDurationMs } from '../../time/duration.ts';
import { describe, invalid, MAX_SECONDS, type Reader, text } from './input-readers.ts';
import type { NewJob } from '../job.ts';
import { keyOfCommand, UNIQUE_WHILE, type UniqueFor } from '../flow/unique.ts';

const LONGEST_KEY = 256;

/** Stands for a key derived from the command. */
const OF_COMMAND = '';

export const uniqueKey: Reader<string> = (value, field) => {
  if (value === true) return OF_COMMAND;
  const key = text(value, field, 'a string, or true to derive the key from the command, queue and directory');
  if (key.length <= LONGEST_KEY) return key;
  throw invalid(`'${field}' is ${key.length} characters long; the maximum is ${LONGEST_KEY}`);
};

export const uniqueFor: Reader<UniqueFor> = (value, field) => {
  const word = UNIQUE_WHILE.find((known) => known === value);
  if (word) return word;
  const seconds = typeof value === 'number' ? value : (parseDurationMs(text(value, field)) ?? 0) / 1000;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw invalid(`'${field}' must be ${UNIQUE_WHILE.join(', ')} or a duration, not ${describe(value)}`, 'try 10m or 1d');
};

type Uniqueness = Partial<Pick<NewJob, 'uniqueKey' | 'uniqueFor' | 'ifExists'>>;

export function uniqueKeyOf(
  { uniqueKey: key = null, uniqueFor = null, ifExists = null }: Uniqueness,
  { command, queue, cwd }: Pick<NewJob, 'command' | 'queue' | 'cwd'>,
): string | null {
  if (key === null && (uniqueFor !== null || ifExists !== null))
    throw invalid(
      `'${uniqueFor === null ? 'if_exists' : 'unique_for'}' applies only to unique jobs`,
      'add unique_key, or --unique on the command line',
    );
  return key === OF_COMMAND ? keyOfCommand(command, queue, cwd) : key;
}
