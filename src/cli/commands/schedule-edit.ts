import { type QueueError, usageError } from '../../errors/errors.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { inheritsByFlags } from '../options/job-options.ts';
import { templateWithout, unsetBy } from '../../schedule/unset.ts';
import { scheduleAnswer, scheduleName } from '../schedules/schedule-answer.ts';
import { JOB_NOTE, SCHEDULE_OPTIONS, saysJob, specInputOf, templateFor } from '../options/schedule-options.ts';

const OPTIONS = {
  ...SCHEDULE_OPTIONS,
  unset: {
    kind: 'text',
    value: 'FIELD',
    many: true,
    help: 'reset a field of the schedule or its job: jitter, timeout, on-dead (repeatable, or a,b)',
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'schedule edit',
  purpose: 'run',
  recorded: { about: 'first argument' },
  summary: 'change the timing or the job of a schedule',
  usage: ["NAME [OPTION...] ['COMMAND' | -- PROGRAM ARG...]"],
  options: OPTIONS,
  examples: [
    ["queuectl schedule edit backup --cron '0 3 * * *'", 'change the time'],
    ['queuectl schedule edit backup --tz UTC --overlap skip', 'change the time zone and the overlap rule'],
    ['queuectl schedule edit backup -- ./backup.sh --all', 'change the command'],
    ['queuectl schedule edit backup --unset timeout,on-dead', 'remove the timeout and the hook'],
  ],
  notes: ['schedule edit changes only the given fields. Existing jobs are not changed.', JOB_NOTE],
  completes: 'schedule',
  run: async (context) => {
    const name = scheduleName(context, 'schedule edit');
    const unset = unsetBy(context.options.all('unset'));
    const input = { ...specInputOf(context), ...unset.spec };
    if (!saysJob(context) && unset.ofJob.length === 0 && Object.values(input).every((value) => value === undefined))
      throw nothingToChange(name);
    const queue = await context.queue();
    const schedules = await queue.schedules();
    const { job: known } = await schedules.get(name);
    const said = saysJob(context) ? await templateFor(context, 'schedule edit', known) : undefined;
    const job = unset.ofJob.length === 0 ? said : templateWithout(said ?? known, unset.ofJob);
    const inherits = inheritsByFlags(context);
    const environment = inherits === undefined ? undefined : (await queue.intake({}, inherits)).environment;
    const edited = await schedules.edit(name, input, job, environment);
    return scheduleAnswer(edited, 'changed', queue.now(), context.terminal);
  },
};

const nothingToChange = (name: string): QueueError =>
  usageError('missing option: nothing to change', `queuectl schedule edit ${name} --cron '0 3 * * *'`);
