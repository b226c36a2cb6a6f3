// Identity of a job: ID, name, command, queue and group.

import { groupName } from '../input/input-flow.ts';
import { command, INT32 } from '../input/input-readers.ts';
import { DEFAULT_QUEUE, type Job, STATES } from '../job.ts';
import { readCommand } from '../record.ts';
import { bigint, type FieldTable, OWN, smallint, text } from './field.ts';
import { either, INTEGER, listOf, named, orNull, TEXT, wordsOf } from './shape.ts';
import { JOB_NAME, NAME, whole } from './values.ts';

export const GROUP_STAYS = 'the group is fixed when the job is enqueued';

const COMMAND = named('Command', either(TEXT, listOf(TEXT)));
const COMMAND_INPUT = {
  shape: COMMAND,
  read: command,
  help: 'the command: a string runs in the shell, a list of strings runs without a shell',
};

export const IDENTITY = {
  id: {
    input: {
      id: {
        ...JOB_NAME,
        help: 'job ID (default: generated)',
        flag: { kind: 'text', value: 'ID' },
      },
    },
    json: { shape: TEXT },
    stored: { columns: { id: text(({ id }) => id) }, isCommon: true },
  },
  name: {
    input: {
      name: {
        ...JOB_NAME,
        help: 'name of the job; a name refers to the newest job that has it',
        flag: {
          kind: 'text',
          topic: 'workflow',
          value: 'NAME',
          help: 'name of the job; --after NAME refers to the newest job with this name',
        },
      },
    },
    unset: null,
    edit: 'replace or unset',
    json: { shape: orNull(TEXT) },
    stored: { columns: { name: text(({ name }) => name) } },
  },
  command: {
    input: {
      command: {
        ...COMMAND_INPUT,
        flag: {
          kind: 'text',
          value: 'COMMAND',
          help: 'shell command to run',
          hidden: true,
        },
      },
      cmd: { ...COMMAND_INPUT, isAlias: true },
    },
    edit: 'replace',
    json: { shape: COMMAND, help: 'A string runs in the shell, a list runs without a shell' },
    stored: {
      columns: {
        command: text(({ command }) => (typeof command === 'string' ? command : JSON.stringify(command))),
        is_argv: smallint(({ command }) => (typeof command === 'string' ? 0 : 1)),
      },
      read: (row) => readCommand({ command: row.command, isArgv: Boolean(row.is_argv) }) ?? String(row.command),
      isCommon: true,
    },
  },
  queue: {
    input: {
      queue: {
        ...NAME,
        help: `named queue (default: ${DEFAULT_QUEUE})`,
        flag: { kind: 'text', short: 'q', value: 'NAME' },
      },
    },
    unset: DEFAULT_QUEUE,
    edit: 'replace',
    json: { shape: TEXT },
    stored: { columns: { queue: text(({ queue }) => queue) }, isCommon: true },
  },
  group: {
    input: {
      group: {
        shape: TEXT,
        read: groupName,
        help: 'group that the job belongs to',
        flag: { kind: 'text', topic: 'workflow', value: 'NAME' },
      },
    },
    unset: null,
    noEdit: GROUP_STAYS,
    json: { shape: orNull(TEXT) },
    stored: {
      columns: { group_name: text(({ group }) => group) },
      read: (row) => row.group_name as string | null,
    },
  },
  groupConcurrency: {
    input: {
      group_concurrency: {
        ...whole(1, INT32),
        help: 'maximum number of jobs of the group that run at once',
        flag: { kind: 'integer', topic: 'workflow', value: 'N' },
      },
    },
    unset: null,
    noEdit: GROUP_STAYS,
  },
  state: {
    json: { shape: named('JobState', wordsOf(STATES)) },
    stored: { ...OWN, read: (row) => row.state as Job['state'] },
  },
  priority: {
    input: {
      priority: {
        ...whole(-INT32 - 1, INT32),
        help: 'priority; higher values run first (default: 0)',
        flag: { kind: 'integer', short: 'p', value: 'N' },
      },
    },
    unset: 0,
    edit: 'replace',
    json: { shape: INTEGER },
    stored: { columns: { priority: bigint(({ priority }) => priority) }, isCommon: true },
  },
} satisfies Partial<FieldTable>;
