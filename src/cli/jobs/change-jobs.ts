// Commands that change jobs take IDs or a filter. With a filter, they count the jobs, ask for confirmation if
// necessary, show progress, and can be stopped: jobs changed by then stay changed.

import { QueueError, usageError } from '../../errors/errors.ts';
import type { Change } from '../../job/change.ts';
import type { Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { JobFilter } from '../../store/store.ts';
import { type Context, eachOption, type OptionSpecs, type Result } from '../command.ts';
import { INTERRUPTED, interruptOf } from '../interrupt.ts';
import { confirm, YES } from '../confirm.ts';
import { FILTER_OPTIONS, filterFrom, STATE_OPTION } from '../options/filtering.ts';
import { withRejections } from './rejections.ts';
import { jobLines } from './job-lines.ts';
import { count, many } from '../render/kit/human.ts';
import { someArguments } from '../required.ts';

export interface JobChange {
  readonly name: string;
  readonly change: Change;
  /** Describes the change, for example 'cancel 12 jobs'. */
  readonly action: (jobs: string) => string;
  /** Past participle for messages; also the name of the count in JSON. */
  readonly done: string;
  /** A better word for the final message, for example 'requeued'. */
  readonly becomes?: string;
  /** Always ask for confirmation. Otherwise ask only on a terminal, and only for many jobs. */
  readonly isDestructive: boolean;
  readonly only?: JobFilter;
  /** The options that select jobs, if some of CHOOSING_OPTIONS have another meaning in this command. */
  readonly choosing?: readonly string[];
  /** Hint if no job was selected. */
  readonly which?: string;
  /** The given option that selects all eligible jobs, such as --failed: then no filter is required. */
  readonly forAll?: string | undefined;
  /** Waits for jobs that are being stopped, and returns how many are left. */
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

/** Up to this number, reversible changes need no confirmation. */
const MANY = 100;

/** `byIds` changes all of these jobs or none; `line` describes the result for each. */
export async function changeJobs(
  context: ChangeContext,
  wanted: JobChange,
  byIds: (queue: AnyQueue, ids: readonly string[]) => Promise<Job[]>,
  line: (job: Job) => string,
): Promise<Result> {
  const queue = await context.queue();
  if (isByFilter(context, wanted)) return changeMatching(context, queue, wanted);
  rejectBulkFlags(context);
  const ids = someArguments(context, 'id', wanted.name, wanted.which);
  const jobs = await byIds(queue, ids).catch(inWordsOfGroups(wanted));
  context.terminal.progress('');
  return jobLines(jobs, line);
}

const GROUP = 'group:';

/** Explains that a filter selects the jobs of a group, for users who know --after group:photos. */
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
    throw usageError(problem, 'use one of them; a filter can select IDs: id:abc,def');
  }
  return isChosen;
}

function rejectBulkFlags({ options }: ChangeContext): void {
  if (options.has('dry-run'))
    throw usageError('--dry-run requires a filter', "add a filter, for example --filter 'state:dead'");
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
  usageError(
    'empty filter: it would select every job',
    `add a condition: queuectl ${name} --filter 'queue:mail'; to select all jobs: newer:100w`,
  );

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
  const interrupt = interruptOf(context);
  const { onProgress, end } = progressOf(context, wanted.done, ids.length);
  const changed = await queue.changeMany(ids, filter, wanted.change, {
    onProgress,
    onDependents: dependentsProgress(context),
    isStopped: () => interrupt.aborted,
  });
  end();
  if (interrupt.aborted) return stopped(wanted, changed.jobs, ids.length);
  const ending = changed.ending.length === 0 ? 0 : await wanted.untilEnded?.(changed.ending);
  return withRejections(answer(wanted, changed.jobs, ending), changed.rejections);
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
    terminal.progress(`${count(n)} of ${count(total)} ${done}, ${count(rate)} a second, ${count(left)} s left`);
  };
  return { onProgress, end: () => terminal.progress('') };
}

/** Updating many dependents can take longer than the change itself. */
export const dependentsProgress =
  ({ terminal }: Context): ((dependents: number) => void) =>
  (dependents) =>
    terminal.progress(`${count(dependents)} dependents updated`);

const stopped = ({ done }: JobChange, jobs: number, total: number): Result => ({
  data: { [done]: jobs, stopped: true },
  text: `stopped: ${count(jobs)} of ${many(total, 'job')} ${done}`,
  exitCode: INTERRUPTED,
});

const answer = ({ done, becomes = done }: JobChange, jobs: number, ending = 0): Result => ({
  data: { [done]: jobs, ...(ending > 0 && { ending }) },
  text: `${many(jobs, 'job')} ${becomes}${ending === 0 ? '' : `, ${count(ending)} still stopping`}`,
});
