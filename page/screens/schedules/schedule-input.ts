// The text fields of a schedule form, and their conversion to API values and a command line.

import { isolationFlags, isolationInput, type Given, givenByIsolation, recipeFlags } from '../../isolation/given.ts';
import { commandText, shellWord } from '../../core/format.ts';
import type { Schedule } from '../../core/types.ts';

export type TimingKind = 'cron' | 'every' | 'at';

export interface ScheduleInput {
  readonly name: string;
  readonly kind: TimingKind;
  readonly when: string;
  readonly tz: string;
  readonly overlap: Schedule['overlap'];
  readonly catchUp: Schedule['catch_up'];
  readonly command: string;
  readonly queue: string;
  /** Isolation of the jobs, and the recipe for their command. */
  readonly given: Given;
}

/** The browser's time zone, which a user expects by default. */
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const newInput = (): ScheduleInput => ({
  name: '',
  kind: 'cron',
  when: '',
  tz: ownZone(),
  overlap: 'allow',
  catchUp: 'one',
  command: '',
  queue: '',
  given: {},
});

export const inputOf = (schedule: Schedule): ScheduleInput => ({
  name: schedule.name,
  kind: schedule.cron !== null ? 'cron' : schedule.every_seconds !== null ? 'every' : 'at',
  when: schedule.cron ?? (schedule.every_seconds === null ? (schedule.at ?? '') : `${schedule.every_seconds}s`),
  tz: schedule.time_zone,
  overlap: schedule.overlap,
  catchUp: schedule.catch_up,
  command: commandText(schedule.job.command as string | readonly string[]),
  queue: String(schedule.job.queue ?? ''),
  given: givenByIsolation(schedule.job),
});

export const timingOf = ({ kind, when, tz }: ScheduleInput): Record<string, string> => ({
  [kind]: when.trim(),
  ...(tz.trim() && { tz: tz.trim() }),
});

/** An unchanged list of words stays a list; a recipe supplies its own command. */
function jobOf({ command, queue, given }: ScheduleInput, before?: Schedule): Record<string, unknown> {
  const isolation = isolationInput(given);
  const isSame = before !== undefined && command === inputOf(before).command;
  return {
    ...(isolation.recipe === undefined && { command: isSame ? before.job.command : command }),
    ...(queue.trim() && { queue: queue.trim() }),
    ...isolation,
  };
}

/** The job fields that the form replaces as a whole. */
const IN_FORM = ['command', 'queue', 'limits', 'sandbox', 'user', 'secrets', 'recipe', 'params'];

const restOf = ({ job }: Schedule): Record<string, unknown> =>
  Object.fromEntries(Object.entries(job).filter(([name]) => !IN_FORM.includes(name)));

export const bodyOf = (input: ScheduleInput): Record<string, unknown> => ({
  name: input.name.trim(),
  ...timingOf(input),
  overlap: input.overlap,
  catch_up: input.catchUp,
  job: jobOf(input),
});

/** The changed fields. The job is replaced as a whole, so its other fields are included. */
export function changeOf(schedule: Schedule, input: ScheduleInput): Record<string, unknown> {
  const before = inputOf(schedule);
  const differs = (...names: (keyof ScheduleInput)[]): boolean => names.some((name) => before[name] !== input[name]);
  return {
    ...(differs('kind', 'when') && timingOf(input)),
    ...(differs('tz') && { tz: input.tz.trim() }),
    ...(differs('overlap') && { overlap: input.overlap }),
    ...(differs('catchUp') && { catch_up: input.catchUp }),
    ...((differs('command', 'queue') || isIsolationChanged(before, input)) && {
      job: { ...restOf(schedule), ...jobOf(input, schedule) },
    }),
  };
}

const isIsolationChanged = (before: Pick<ScheduleInput, 'given'>, { given }: ScheduleInput): boolean =>
  JSON.stringify(isolationInput(before.given)) !== JSON.stringify(isolationInput(given));

/** Replacing the job would lose the values of hidden variables. */
export const isJobWhole = ({ job }: Schedule): boolean =>
  !Object.values((job.env ?? {}) as Record<string, string>).includes('***');

export const addCommand = (input: ScheduleInput): string =>
  words('add', input, { overlap: 'allow', catchUp: 'one', given: {} });

export const editCommand = (schedule: Schedule, input: ScheduleInput): string =>
  words('edit', input, inputOf(schedule));

type Before = Partial<ScheduleInput> & Pick<ScheduleInput, 'given'>;

function words(verb: string, input: ScheduleInput, before: Before): string {
  const flag = (name: string, key: Exclude<keyof ScheduleInput, 'given'>): string =>
    input[key] === '' || input[key] === before[key] ? '' : `--${name} ${shellWord(input[key])}`;
  return [
    `queuectl schedule ${verb} ${input.name === '' ? 'NAME' : shellWord(input.name)}`,
    flag(input.kind, 'when'),
    flag('tz', 'tz'),
    flag('overlap', 'overlap'),
    flag('catch-up', 'catchUp'),
    flag('queue', 'queue'),
    ...whatRuns(input, before),
  ]
    .filter(Boolean)
    .join(' ');
}

function whatRuns(input: ScheduleInput, before: Before): string[] {
  const isChanged = isIsolationChanged(before, input);
  const isolation = isChanged ? isolationFlags(input.given) : [];
  if (input.given.recipe) return [...isolation, ...(isChanged ? recipeFlags(input.given) : [])];
  return [...isolation, input.command === before.command ? '' : shellWord(input.command || 'COMMAND')];
}
