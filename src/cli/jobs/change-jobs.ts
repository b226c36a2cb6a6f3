// Commands that change jobs take ids, or a filter. By a filter they say how many would be touched, ask where that is due,
// show how far they are, and can be stopped on the way: what was changed by then stays changed.

import { QueueError } from '../../errors/errors.ts';
import type { Change } from '../../job/change.ts';
import type { Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { JobFilter } from '../../store/store.ts';
import { type Context, eachOption, type OptionSpecs, type Result } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { FILTER_OPTIONS, filterFrom, STATE_OPTION } from '../options/filtering.ts';
import { withRefusals } from './refusals.ts';
import { jobLines } from './job-lines.ts';
import { count, many } from '../render/kit/human.ts';
import { someArguments } from '../required.ts';

export interface JobChange {
  /** The command, as typed. */
  readonly name: string;
  readonly change: Change;
  /** What it does to '12 jobs', as in "this will cancel 12 jobs". */
  readonly action: (jobs: string) => string;
  /** What has been done to them then; also the name of the number in JSON. */
  readonly done: string;
  /** Where that leaves them, if there is a better word for it. */
  readonly becomes?: string;
  /** It cannot be undone: always ask. Else only where a person sits and they are many. */
  readonly isDestructive: boolean;
  /** Besides what was asked for, only these. */
  readonly only?: JobFilter;
  /** The flags that choose jobs; default: all of them. Some commands need a name for something else. */
  readonly choosing?: readonly string[];
  /** What to type when nothing was chosen; default: an id. */
  readonly which?: string;
  /** The flag that was given and means all it can be done to: no filter is needed then, and no question but the due one. */
  readonly forAll?: string | undefined;
  /** Waits for the jobs that are being ended; returns how many still are. */
  readonly untilEnded?: (ids: readonly string[]) => Promise<number>;
}

const FILTER = {
  filter: { kind: 'text', value: 'FILTER', help: "select jobs by filter: 'state:dead queue:mail older:1d'" },
} satisfies OptionSpecs;

export const CHOOSING_OPTIONS = {
  ...FILTER,
  ...eachOption({ ...STATE_OPTION, ...FILTER_OPTIONS }, { topic: 'filter' }),
};

export const BULK_OPTIONS = {
  'dry-run': { kind: 'flag', help: 'print how many jobs would change, without changing them' },
  ...YES,
} satisfies OptionSpecs;

/** The options of most commands that change jobs. */
export const CHANGE_OPTIONS = { ...CHOOSING_OPTIONS, ...BULK_OPTIONS };

type ChangeContext = Context<typeof FILTER & typeof BULK_OPTIONS>;

/** Below this nobody is asked about what can be undone. */
const MANY = 100;

/** `byIds` does it to the jobs of these ids, all or none, and `line` says what became of each. */
export async function changeJobs(
  context: ChangeContext,
  wanted: JobChange,
  byIds: (queue: AnyQueue, ids: readonly string[]) => Promise<Job[]>,
  line: (job: Job) => string,
): Promise<Result> {
  const queue = await context.queue();
  if (isByFilter(context, wanted)) return changeMatching(context, queue, wanted);
  refuseBulkFlags(context);
  const ids = someArguments(context, 'id', wanted.name, wanted.which);
  const jobs = await byIds(queue, ids).catch(inWordsOfGroups(wanted));
  context.terminal.progress('');
  return jobLines(jobs, line);
}

const GROUP = 'group:';

/** As in --after group:photos; here a group is chosen by a filter. */
const inWordsOfGroups =
  ({ name }: JobChange) =>
  (error: unknown): never => {
    const id = error instanceof QueueError && error.code === 'job_not_found' ? String(error.details.id) : '';
    if (!(error instanceof QueueError) || !id.startsWith(GROUP)) throw error;
    const hint = `to select the jobs of a group: queuectl ${name} --filter ${id}`;
    throw QueueError.told(error.code, error.message, hint, error.details);
  };

const namesOf = ({ choosing = Object.keys(CHOOSING_OPTIONS) }: JobChange): readonly string[] => choosing;

function isByFilter({ args, exact, options }: Context, wanted: JobChange): boolean {
  const isChosen = wanted.forAll !== undefined || Object.keys(options.pick(...namesOf(wanted))).length > 0;
  if (isChosen && args.length + (exact?.length ?? 0) > 0) {
    const problem = `job IDs and ${wanted.forAll ?? 'a filter'} cannot be combined`;
    throw new QueueError('usage', { problem, hint: 'use one of them; a filter can select IDs: id:abc,def' });
  }
  return isChosen;
}

function refuseBulkFlags({ options }: ChangeContext): void {
  if (options.has('dry-run'))
    throw new QueueError('usage', {
      problem: '--dry-run requires a filter',
      hint: "add a filter, for example --filter 'state:dead'",
    });
}

async function changeMatching(context: ChangeContext, queue: AnyQueue, wanted: JobChange): Promise<Result> {
  const filter = filterOf(context, queue, wanted);
  const ids = await queue.idsToChange(filter, wanted.change);
  if (context.options.has('dry-run')) return dryRun(ids.length, wanted);
  if (ids.length === 0) return answer(wanted, 0);
  if (!(await isAgreed(context, wanted, ids.length)))
    return { data: { [wanted.done]: 0 }, text: `nothing was ${wanted.done}`, exitCode: 1 };
  return carryOut(context, queue, wanted, filter, ids);
}

function filterOf(context: ChangeContext, queue: AnyQueue, wanted: JobChange): JobFilter {
  const { options } = context;
  const said = filterFrom(context, [options.text('filter') ?? ''], queue.now(), namesOf(wanted));
  if (Object.keys(said).length === 0 && wanted.forAll === undefined) throw meansAll(wanted);
  return { ...wanted.only, and: [said] };
}

const meansAll = ({ name }: JobChange): QueueError =>
  new QueueError('usage', {
    problem: 'empty filter: it would select every job',
    hint: `add a condition: queuectl ${name} --filter 'queue:mail'; to select all jobs: newer:100w`,
  });

const dryRun = (jobs: number, { action }: JobChange): Result => ({
  data: { would_change: jobs },
  text: `would ${action(many(jobs, 'job'))}`,
});

async function isAgreed(context: ChangeContext, wanted: JobChange, jobs: number): Promise<boolean> {
  const action = wanted.action(many(jobs, 'job'));
  if (wanted.isDestructive) return confirm(context, action);
  const isAsked = jobs > MANY && context.terminal.canAsk && wanted.forAll === undefined;
  return isAsked ? confirm(context, action) : true;
}

async function carryOut(
  context: Context,
  queue: AnyQueue,
  wanted: JobChange,
  filter: JobFilter,
  ids: readonly string[],
): Promise<Result> {
  let isStopped = false;
  context.onInterrupt(() => {
    isStopped = true;
  });
  const { onProgress, end } = progressOf(context, wanted.done, ids.length);
  const changed = await queue.changeMany(ids, filter, wanted.change, {
    onProgress,
    onDependents: dependentsProgress(context),
    isStopped: () => isStopped,
  });
  end();
  if (isStopped) return stopped(wanted, changed.jobs, ids.length);
  const ending = changed.ending.length === 0 ? 0 : await wanted.untilEnded?.(changed.ending);
  return withRefusals(answer(wanted, changed.jobs, ending), changed.refusals);
}

const PROGRESS_EVERY_MS = 200;

function progressOf({ terminal }: Context, done: string, total: number) {
  const startedAt = performance.now();
  let shownAt = startedAt;
  const onProgress = (n: number): void => {
    const now = performance.now();
    if (now - shownAt < PROGRESS_EVERY_MS) return;
    shownAt = now;
    const rate = (n / (now - startedAt)) * 1000;
    const left = Math.ceil((total - n) / rate);
    terminal.progress(
      `${count(n)} of ${count(total)} ${done}, ${count(rate)} a second, ${count(left)} s left`,
    );
  };
  return { onProgress, end: () => terminal.progress('') };
}

/** A change may reach very many dependents, which takes longer than the change itself. */
export const dependentsProgress =
  ({ terminal }: Context): ((dependents: number) => void) =>
  (dependents) =>
    terminal.progress(`${count(dependents)} dependents updated`);

/** The exit code of what Ctrl-C has ended. */
export const INTERRUPTED = 130;

const stopped = ({ done }: JobChange, jobs: number, total: number): Result => ({
  data: { [done]: jobs, stopped: true },
  text: `stopped: ${count(jobs)} of ${many(total, 'job')} ${done}`,
  exitCode: INTERRUPTED,
});

const answer = ({ done, becomes = done }: JobChange, jobs: number, ending = 0): Result => ({
  data: { [done]: jobs, ...(ending > 0 && { ending }) },
  text: `${many(jobs, 'job')} ${becomes}${ending === 0 ? '' : `, ${count(ending)} still stopping`}`,
});
