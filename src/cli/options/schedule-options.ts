// The options of schedule add and schedule edit: the times and rules of a schedule, and its job, with the options of
// enqueue.

import { usageError } from '../../errors/errors.ts';
import type { Confinement } from '../../job/isolation/isolation.ts';
import { inputOfConfinement } from '../../job/input/isolation-input.ts';
import { inputOfRules } from '../../job/input/outcome-input.ts';
import type { JobInput } from '../../queue/queue.ts';
import type { JobTemplate } from '../../schedule/job-template.ts';
import { CATCH_UPS, OVERLAPS } from '../../schedule/plan-ticks.ts';
import type { SpecInput } from '../../schedule/spec.ts';
import { type Context, eachOption, type OptionSpecs, without } from '../command.ts';
import { jobIntake } from '../enqueue/job-intake.ts';
import { commandFrom } from '../enqueue/command-argument.ts';
import { JOB_OPTIONS } from './job-options.ts';
import { jobsInJson, looksLikeJson } from '../enqueue/json-argument.ts';

const SPEC_OPTIONS = {
  cron: {
    kind: 'text',
    value: 'EXPR',
    help: "run at the times of a cron expression: '30 2 * * *', 6 fields with seconds, or @daily",
  },
  every: { kind: 'text', value: 'DURATION', help: 'run at a fixed interval, counted from now' },
  at: { kind: 'text', value: 'TIME', help: 'run once at this time' },
  tz: {
    kind: 'text',
    value: 'ZONE',
    help: "time zone, for example Europe/Berlin (default: the host's)",
  },
  overlap: {
    kind: 'text',
    value: 'RULE',
    help: 'if the previous run is unfinished: allow (default), skip, queue or replace',
    choices: OVERLAPS,
  },
  'catch-up': {
    kind: 'text',
    value: 'RULE',
    help: 'missed runs to catch up: none, one (the latest; default) or all',
    choices: CATCH_UPS,
  },
  'catch-up-window': {
    kind: 'seconds',
    value: 'DURATION',
    help: 'skip missed runs that are older than this',
  },
  'catch-up-max': {
    kind: 'integer',
    value: 'N',
    help: 'maximum number of missed runs to catch up (default: 100)',
  },
  jitter: {
    kind: 'seconds',
    value: 'DURATION',
    help: 'delay each run by up to this much; the delay is the same for every run',
  },
} satisfies OptionSpecs;

/** Each run has its own ID and time, and depends on no job. */
const runOptions = without(
  JOB_OPTIONS,
  ...(['id', 'run-at', 'delay', 'after', 'after-any-end', 'after-failure', 'on-dependency-failure'] as const),
);

/** Hidden because enqueue describes them and the help has to fit on a screen. */
const HIDDEN_JOB_OPTIONS = eachOption(runOptions, { hidden: true });

export const SCHEDULE_OPTIONS = { ...SPEC_OPTIONS, ...HIDDEN_JOB_OPTIONS };

export const JOB_NOTE =
  'The job accepts the options of queuectl enqueue, except --id, --run-at, --delay, --after and --stdin. It can read its scheduled time from QUEUECTL_SCHEDULED_AT.';

export function specInputOf({ options }: Context<typeof SPEC_OPTIONS>): SpecInput {
  const [window, jitter] = [options.number('catch-up-window'), options.number('jitter')];
  return {
    cron: options.text('cron'),
    every: options.text('every'),
    at: options.text('at'),
    zone: options.text('tz'),
    overlap: options.text('overlap'),
    catchUp: options.text('catch-up'),
    catchUpMax: options.number('catch-up-max'),
    catchUpWindowMs: window === undefined ? undefined : window * 1000,
    jitterMs: jitter === undefined ? undefined : jitter * 1000,
  };
}

/** Whether the command line has arguments or options about the job. */
export const saysJob = ({ args, exact, options }: Context): boolean =>
  args.length > 1 || exact !== null || Object.keys(options.pick(...Object.keys(HIDDEN_JOB_OPTIONS))).length > 0;

/**
 * Returns the job that the words after the schedule name describe, checked as if it were enqueued now. Options change
 * only their fields of a `known` job; JSON replaces it.
 */
export async function templateFor(
  context: Context<typeof SCHEDULE_OPTIONS>,
  name: string,
  known?: JobTemplate,
): Promise<JobTemplate> {
  const words = { ...context, args: context.args.slice(1) };
  const saysCommand =
    words.args.length > 0 || words.exact !== null || context.options.has('command') || context.options.has('recipe');
  const given = known === undefined || saysCommand ? rawJob(words, name) : { command: known.command };
  const isReplaced = known === undefined || looksLikeJson(words.args[0] ?? '');
  const raw = isReplaced ? given : { ...keptOf(known), ...(given as object) };
  const { read, template } = await jobIntake(context, await context.queue());
  read(raw);
  const said = template(raw);
  if (isReplaced) return said;
  const cwd = context.options.has('cwd') ? said.cwd : known.cwd;
  const confinement = { ...(saysCommand ? withoutRecipe(known) : known.confinement), ...said.confinement };
  const isConfined = Object.keys(confinement).length > 0;
  return {
    ...known,
    ...said,
    ...(cwd === undefined ? {} : { cwd }),
    ...(isConfined ? { confinement } : { confinement: null }),
  };
}

const withoutRecipe = ({ confinement }: JobTemplate): Confinement => {
  const { recipe: _, ...rest } = confinement ?? {};
  return rest;
};

/**
 * Returns the fields of a known job that are checked together with new ones. An option sets only one of the hooks,
 * limits or exit code rules; the others are kept.
 */
const keptOf = ({
  group,
  key,
  outcomeRules = null,
  confinement = null,
  hooks,
  groupHooks,
  timeoutSeconds,
}: JobTemplate): JobInput => ({
  ...inputOfRules(outcomeRules),
  ...inputOfConfinement(confinement),
  ...(group != null && { group }),
  ...(key != null && { key }),
  ...(hooks && { hooks }),
  ...(groupHooks && { group_hooks: groupHooks }),
  ...(timeoutSeconds != null && { timeout_seconds: timeoutSeconds }),
});

function rawJob(context: Context<typeof SCHEDULE_OPTIONS>, name: string): unknown {
  const { args, exact } = context;
  const [only = ''] = args;
  if (exact !== null || args.length !== 1 || !looksLikeJson(only)) return commandFrom(context, `${name} NAME`);
  const [job, ...more] = jobsInJson(only);
  if (more.length === 0) return job;
  throw usageError('several jobs in one schedule: each run creates only one job', 'add one schedule per job');
}
