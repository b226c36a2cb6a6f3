// What the form of a schedule holds, as text; what the API takes of it; and the command line that says the same.

import {
  isolationFlags,
  isolationSaid,
  type Given,
  givenByIsolation,
  recipeFlags,
} from '../../isolation/given.ts';
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
  /** What confines its jobs, and the recipe that makes their command. */
  readonly given: Given;
}

/** The zone of whoever looks: what a person means by 'at nine'. */
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
  when:
    schedule.cron ?? (schedule.every_seconds === null ? (schedule.at ?? '') : `${schedule.every_seconds}s`),
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

/** A list of words that was left as it is stays one, and a recipe makes the command by itself. */
function jobOf({ command, queue, given }: ScheduleInput, before?: Schedule): Record<string, unknown> {
  const isolation = isolationSaid(given);
  const isSame = before !== undefined && command === inputOf(before).command;
  return {
    ...(isolation.recipe === undefined && { command: isSame ? before.job.command : command }),
    ...(queue.trim() && { queue: queue.trim() }),
    ...isolation,
  };
}

/** What the form says of a job, and says anew as a whole. */
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

/** What differs from what there is. A job is replaced whole, so the rest of its fields go along. */
export function changeOf(schedule: Schedule, input: ScheduleInput): Record<string, unknown> {
  const before = inputOf(schedule);
  const differs = (...names: (keyof ScheduleInput)[]): boolean =>
    names.some((name) => before[name] !== input[name]);
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
  JSON.stringify(isolationSaid(before.given)) !== JSON.stringify(isolationSaid(given));

/** Values of variables that are not shown would be lost with a new job. */
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
