// The environment of a job's command: directory, variables, standard input and output.

import type { Variables } from '../environment/environment.ts';
import { ARRAY_INDEX } from '../flow/array-index.ts';
import { env, flag, folder } from '../input/input-readers.ts';
import { stdinBytes } from '../input/stdin.ts';
import type { NewJob } from '../job.ts';
import { readEnv } from '../record.ts';
import { bigint, type FieldTable, type Shown, smallint, text } from './field.ts';
import { FLAG, INTEGER, mapOf, orNull, TEXT } from './shape.ts';

const NO_VARIABLES: NewJob['env'] = Object.freeze({});

const HIDDEN = '***';

/** Hides values, which may be secrets, unless requested. The index of an array is always shown. */
export const variablesToJson = (variables: Variables, show: Shown): Variables =>
  show.env
    ? variables
    : Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, name === ARRAY_INDEX ? value : HIDDEN]),
      );

function hasEntries(record: object): boolean {
  for (const _ in record) return true;
  return false;
}

export const ENVIRONMENT = {
  cwd: {
    input: {
      cwd: {
        shape: TEXT,
        read: folder,
        help: 'working directory',
        flag: {
          kind: 'text',
          topic: 'environment',
          value: 'DIR',
          help: 'working directory (default: the current one)',
        },
      },
    },
    edit: 'replace',
    json: { shape: orNull(TEXT) },
    stored: {
      columns: { cwd: text(({ cwd }) => cwd) },
      read: ({ cwd }) => (typeof cwd === 'string' ? cwd : null),
      isCommon: true,
    },
  },
  env: {
    input: {
      env: {
        shape: mapOf(TEXT),
        read: env,
        help: 'environment variables',
        flag: {
          kind: 'text',
          topic: 'environment',
          short: 'e',
          value: 'K=V',
          many: true,
          help: 'set an environment variable; K without a value copies it (repeatable)',
        },
      },
    },
    unset: NO_VARIABLES,
    edit: 'replace or unset',
    json: {
      shape: mapOf(TEXT),
      help: 'Environment variables; values that the caller may not see are ***',
      of: ({ env }, show) => variablesToJson(env, show),
    },
    stored: {
      columns: { env: text(({ env }) => (hasEntries(env) ? JSON.stringify(env) : null)) },
      read: (row) => readEnv(row.env) ?? {},
      isCommon: true,
    },
  },
  splitOutput: {
    input: {
      split_output: {
        shape: FLAG,
        read: flag,
        help: 'store stdout and stderr separately (loses their order)',
        flag: { kind: 'flag', topic: 'environment' },
      },
    },
    unset: false,
    edit: 'replace',
    json: { shape: FLAG },
    stored: {
      columns: { split_output: smallint(({ splitOutput }) => (splitOutput ? 1 : 0)) },
      read: (row) => row.split_output === 1,
      isCommon: true,
    },
  },
  stdin: {
    input: {
      stdin: {
        shape: TEXT,
        read: stdinBytes,
        help: 'standard input of the command, at every attempt',
      },
    },
    unset: null,
    noEdit: 'the standard input is fixed when the job is enqueued',
  },
  stdinBytes: {
    json: { shape: orNull(INTEGER), help: 'Size of the standard input' },
    stored: { columns: { stdin_bytes: bigint(({ stdin }) => stdin?.length ?? null) } },
  },
} satisfies Partial<FieldTable>;
