import type { NewJob } from '../../job/job.ts';
import { type Command, type Context, eachOption } from '../command.ts';
import { commandFrom } from '../enqueue/command-argument.ts';
import { jobIntake } from '../enqueue/job-intake.ts';
import { JOB_OPTIONS } from '../options/job-options.ts';
import { jobsInJson, looksLikeJson } from '../enqueue/json-argument.ts';

const { queue, cwd, env, ...others } = JOB_OPTIONS;
const OPTIONS = { queue, cwd, env, ...eachOption(others, { hidden: true }) };

export const command: Command<typeof OPTIONS> = {
  name: 'policy check',
  purpose: 'set up',
  summary: 'check whether the policy allows a command, without enqueueing it',
  usage: ["'COMMAND' | -- PROGRAM ARG...", '\'{"command":"...", ...}\''],
  options: OPTIONS,
  examples: [
    ['queuectl policy check -- convert a.png b.jpg', 'check an exact argument list without a shell'],
    ["queuectl policy check --queue img 'make all'", 'check a shell command'],
    ['queuectl --server URL policy check --recipe resize', 'check a recipe as the user of a token'],
  ],
  notes: [
    'Exit code: 0 if the policy allows the job, 1 if it rejects the job. policy check accepts the options of queuectl enqueue.',
  ],
  completes: 'file',
  run: async (context) => {
    const intake = await jobIntake(context, await context.queue());
    const rejected = await intake.rejectionOf(jobFrom(context, intake.read));
    if (rejected === null) return { data: { is_allowed: true, reason: null }, text: 'allowed' };
    context.terminal.hint(rejected.hint);
    return {
      data: { is_allowed: false, reason: rejected.reason },
      text: `rejected: ${rejected.reason}`,
      exitCode: 1,
    };
  },
};

function jobFrom(context: Context<typeof OPTIONS>, read: (raw: unknown) => NewJob): NewJob {
  const [only = ''] = context.args;
  const isJson = context.exact === null && context.args.length === 1 && looksLikeJson(only);
  return read(isJson ? jobsInJson(only)[0] : commandFrom(context, 'policy check'));
}
