// The flags that say something of a job, shared by enqueue and run; each overrides a field of the job.

import { QueueError } from '../../errors/errors.ts';
import { FAILURE_POLICIES } from '../../job/flow/dependencies.ts';
import { STRATEGIES } from '../../job/job.ts';
import { IF_EXISTS, UNIQUE_WHILE } from '../../job/flow/unique.ts';
import type { JobInput } from '../../queue/queue.ts';
import type { Context, OptionSpec } from '../command.ts';
import { CONFINEMENT_OPTIONS } from './isolation-options.ts';
import { LIMIT_OPTIONS } from './limit-options.ts';
import { variables } from './variables.ts';

/** Each is a field of the job. */
export const FIELD_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  id: { kind: 'text', value: 'ID', help: 'its id (default: a new one)' },
  queue: { kind: 'text', short: 'q', value: 'NAME', help: 'named queue (default: default)' },
  priority: { kind: 'integer', short: 'p', value: 'N', help: 'higher runs first (default: 0)' },
  command: {
    kind: 'text',
    value: 'COMMAND',
    help: 'the command itself, for the shell',
    hidden: true,
  },
  'max-retries': {
    kind: 'integer',
    value: 'N',
    help: 'retries after the first attempt',
  },
  'backoff-base': {
    kind: 'number',
    topic: 'outcome',
    value: 'SECONDS',
    help: 'base of the delay before a retry',
  },
  'backoff-strategy': {
    kind: 'text',
    topic: 'outcome',
    value: 'NAME',
    help: STRATEGIES.join(', '),
    choices: STRATEGIES,
  },
  timeout: { kind: 'seconds', value: 'DURATION', help: 'end an attempt that takes longer: 90s, 5m' },
  delay: { kind: 'seconds', value: 'DURATION', help: 'wait at least this long before it starts' },
  'run-at': { kind: 'text', value: 'TIME', help: "do not start before: 'tomorrow 9:00', +5m, ISO 8601" },
  cwd: { kind: 'text', topic: 'environment', value: 'DIR', help: 'working directory (default: this one)' },
  env: {
    kind: 'text',
    topic: 'environment',
    short: 'e',
    value: 'K=V',
    many: true,
    help: 'set a variable; K alone copies it (repeatable)',
  },
  'success-codes': {
    kind: 'text',
    topic: 'outcome',
    value: 'LIST',
    help: 'exit codes that are a success: 0,3 (default: 0)',
  },
  'no-retry-codes': {
    kind: 'text',
    topic: 'outcome',
    value: 'LIST',
    help: 'exit codes after which it is dead at once',
  },
  'snooze-code': {
    kind: 'integer',
    topic: 'outcome',
    value: 'N',
    help: 'exit code by which it asks to be run again later',
  },
  'warn-signal': {
    kind: 'text',
    topic: 'outcome',
    value: 'SIG@TIME',
    help: 'send this signal before its timeout: USR1@60s',
  },
  name: {
    kind: 'text',
    topic: 'flow',
    value: 'NAME',
    help: 'its name: --after NAME means the newest job of that name',
  },
  group: { kind: 'text', topic: 'flow', value: 'NAME', help: 'the group of jobs it belongs to' },
  'group-concurrency': {
    kind: 'integer',
    topic: 'flow',
    value: 'N',
    help: 'how many of the group run at once',
  },
  key: { kind: 'text', topic: 'limits', value: 'KEY', help: 'jobs with the same key run one at a time' },
  'key-concurrency': {
    kind: 'integer',
    topic: 'limits',
    value: 'N',
    help: 'let this many with its key run at a time; the lowest applies',
  },
  weight: {
    kind: 'integer',
    topic: 'limits',
    value: 'N',
    help: 'how many slots of a worker it takes (default: 1)',
  },
  after: {
    kind: 'text',
    topic: 'flow',
    value: 'JOB',
    many: true,
    help: 'run when this job, name or group:NAME has completed (repeatable, or a,b)',
  },
  'after-any-end': {
    kind: 'text',
    topic: 'flow',
    value: 'JOB',
    many: true,
    help: 'run when it has ended, in whatever way',
  },
  'after-failure': {
    kind: 'text',
    topic: 'flow',
    value: 'JOB',
    many: true,
    help: 'run when one of these has failed',
  },
  'on-dependency-failure': {
    kind: 'text',
    topic: 'flow',
    value: 'WHAT',
    help: `if that can no longer happen: ${FAILURE_POLICIES.join(', ')}`,
    choices: FAILURE_POLICIES,
  },
  'on-success': {
    kind: 'text',
    topic: 'hooks',
    value: 'HOOK',
    help: 'run this command, or call this http(s) address, when the job completes. The command has QUEUECTL_JOB_ID (the job), QUEUECTL_HOOK_EVENT and QUEUECTL_HOOK_JOB (the job as JSON) in its environment',
  },
  'on-failure': {
    kind: 'text',
    topic: 'hooks',
    value: 'HOOK',
    help: 'run this command, or call this http(s) address, when the job is dead or cancelled',
  },
  'on-dead': {
    kind: 'text',
    topic: 'hooks',
    value: 'HOOK',
    help: 'run this command, or call this http(s) address, when the job is dead',
  },
  'group-on-success': {
    kind: 'text',
    topic: 'hooks',
    value: 'HOOK',
    help: 'command or http(s) address when all of its group have completed',
  },
  'group-on-failure': {
    kind: 'text',
    topic: 'hooks',
    value: 'HOOK',
    help: 'the same when the group has ended, and not all of it completed',
  },
  'group-on-dead': {
    kind: 'text',
    topic: 'hooks',
    value: 'HOOK',
    help: 'the same when the group has ended, and some of it is dead',
  },
  tag: {
    kind: 'text',
    topic: 'flow',
    value: 'TAG',
    many: true,
    help: 'a word to find it by: list tag:TAG (repeatable)',
  },
  unique: {
    kind: 'text',
    topic: 'flow',
    value: '[KEY]',
    optional: { insteadOfArgument: ['file', 'command'] },
    help: 'only one with this key (default: by command, queue and folder)',
  },
  'unique-for': {
    kind: 'text',
    topic: 'flow',
    value: 'WHILE',
    help: `${UNIQUE_WHILE.join(', ')} or a duration since it was enqueued (default: waiting)`,
    choices: UNIQUE_WHILE,
  },
  'if-exists': {
    kind: 'text',
    topic: 'flow',
    value: 'WHAT',
    help: `when there is one: ${IF_EXISTS.join(', ')} (default: skip)`,
    choices: IF_EXISTS,
  },
  'split-output': {
    kind: 'flag',
    topic: 'environment',
    help: 'keep stdout and stderr apart (their order is lost)',
  },
  ...LIMIT_OPTIONS,
  ...CONFINEMENT_OPTIONS,
  recipe: {
    kind: 'text',
    topic: 'confinement',
    value: 'NAME',
    help: 'the recipe that makes its command: queuectl recipe list',
  },
  param: {
    kind: 'text',
    topic: 'confinement',
    value: 'K=V',
    many: true,
    help: 'a parameter of the recipe (repeatable)',
  },
  secret: {
    kind: 'text',
    topic: 'confinement',
    value: 'NAME',
    many: true,
    help: 'give it a secret in a variable: NAME, NAME=VAR, or in a file: NAME:file (repeatable)',
  },
};

export const JOB_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...FIELD_OPTIONS,
  stdin: {
    kind: 'text',
    topic: 'environment',
    value: 'FILE',
    help: 'its standard input, at every attempt; - for stdin',
  },
  'inherit-env': {
    kind: 'flag',
    topic: 'environment',
    help: "run with this shell's environment (default on SQLite)",
  },
  'no-inherit-env': {
    kind: 'flag',
    topic: 'environment',
    help: "run with its worker's (default on PostgreSQL)",
  },
};

/** Whether the job inherits the environment of this shell; undefined: as the setting says. */
export function inheritsByFlags({ options }: Context): boolean | undefined {
  const [wants, refuses] = [options.has('inherit-env'), options.has('no-inherit-env')];
  if (wants && refuses)
    throw new QueueError('usage', {
      problem: '--inherit-env and --no-inherit-env contradict each other',
      hint: 'give one of them',
    });
  return wants || refuses ? wants : undefined;
}

/** Several may be given at once, 'a,b': no id, name or group has a comma. */
const PARENT_FLAGS = ['after', 'after-any-end', 'after-failure'];

/** The fields that the flags given override. */
export function saidByFlags({ options, environment }: Context): JobInput {
  const { env, param, ...fields } = options.pick(...Object.keys(FIELD_OPTIONS));
  const said = Object.fromEntries(
    Object.entries(fields).map(([flag, value]) => [
      flag.replaceAll('-', '_'),
      PARENT_FLAGS.includes(flag)
        ? (value as readonly string[]).flatMap((parents) => parents.split(','))
        : value,
    ]),
  );
  return {
    ...said,
    ...(env !== undefined && { env: variables(env as readonly string[], environment) }),
    ...(param !== undefined && { params: params(param as readonly string[]) }),
  };
}

function params(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((entry) => {
      const at = entry.indexOf('=');
      if (at > 0) return [entry.slice(0, at), entry.slice(at + 1)];
      throw new QueueError('usage', {
        problem: `--param ${entry} gives no value`,
        hint: 'it looks like --param NAME=VALUE',
      });
    }),
  );
}
