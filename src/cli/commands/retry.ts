import { either } from '../../job/check-state.ts';
import { RETRYABLE_STATES } from '../../job/state-sets.ts';
import { CHANGE_OPTIONS, changeJobs, type JobChange } from '../jobs/change-jobs.ts';
import type { Command, Context, OptionSpec, OptionSpecs } from '../command.ts';
import { deadHint } from '../jobs/dead-hint.ts';
import { FILTER_NOTE } from '../options/filtering.ts';
import { RERUN_MODES, type RerunMode } from '../../job/flow/rerun.ts';
import { onlyOneOf } from '../options/checks.ts';
import { YES } from '../confirm.ts';

const RERUN_OPTIONS = {
  'failed-only': {
    kind: 'flag',
    help: 'retry only the failed jobs among a job and its dependents, or in a group',
  },
  'failed-and-downstream': { kind: 'flag', help: 'retry the failed jobs and their dependents' },
  all: { kind: 'flag', help: 'retry the job or group and all dependents' },
  ...YES,
} satisfies OptionSpecs;

type RetryOptions = typeof RERUN_OPTIONS & { readonly failed: OptionSpec & { readonly kind: 'flag' } };

/** Returns null if only the given jobs are retried. */
function rerunMode({ options }: Context<RetryOptions>): RerunMode | null {
  const mode = onlyOneOf(options, ...RERUN_MODES);
  if (mode !== undefined) onlyOneOf(options, 'failed', mode);
  return mode ?? null;
}

const OPTIONS = {
  failed: { kind: 'flag', help: 'retry all failed jobs without waiting for their backoff' },
  ...RERUN_OPTIONS,
  ...CHANGE_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'retry',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'retry jobs now, with attempts reset to 0',
  usage: [
    'ID...',
    '--failed [--queue NAME]',
    '--filter FILTER | --state STATE | --queue NAME ...',
    'ID|NAME|group:NAME... --failed-only',
    'ID|NAME|group:NAME... --failed-and-downstream | --all',
  ],
  options: OPTIONS,
  examples: [
    ['queuectl retry k3f9', 'retry one finished or failed job'],
    ['queuectl retry --failed', 'retry all failed jobs without waiting for their backoff'],
    [`queuectl retry --filter 'state:dead error:"no space" newer:1d'`, 'retry all matching jobs'],
    ['queuectl dlq retry --all', 'retry all dead jobs'],
    ['queuectl retry group:g --failed-and-downstream', 'retry the failed jobs of a group and their dependents'],
  ],
  notes: [
    `retry accepts jobs that are ${either(RETRYABLE_STATES)}.\nA filter selects completed jobs only if it contains state:completed.`,
    FILTER_NOTE,
  ],
  completes: 'job or group',
  run: async (context) => {
    const mode = rerunMode(context);
    if (mode !== null) return (await import('../jobs/rerun-part.ts')).rerunPart(context, mode);
    const isAboutFailed = context.options.has('failed');
    const result = await changeJobs(
      context,
      { ...RETRY, ...(isAboutFailed && { forAll: '--failed', only: { states: ['failed'] } }) },
      (queue, ids) => queue.retry(ids),
      () => 'pending',
    );
    if (isAboutFailed && (result.data as { retried?: number }).retried === 0) await pointToDead(context);
    return result;
  },
};

const RETRY: JobChange = {
  name: 'retry',
  change: { kind: 'retry' },
  action: (jobs) => `retry ${jobs}`,
  done: 'retried',
  becomes: 'requeued',
  isDestructive: false,
};

async function pointToDead(context: Context<typeof OPTIONS>): Promise<void> {
  const elsewhere = await deadHint(context, 'queuectl dlq retry --all');
  if (elsewhere !== null) context.terminal.remark(elsewhere);
}
