import { stateNamed } from '../../filter/fields.ts';
import { STATES } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { JobFilter } from '../../store/store.ts';
import type { Exported, Wanted } from '../../transfer/export.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { NewFile } from '../new-file.ts';
import { count, many, manyOf } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  all: { kind: 'flag', help: 'include attempts and output (same as --history --outputs)' },
  history: { kind: 'flag', help: 'include the attempts of each job' },
  outputs: { kind: 'flag', help: 'include the output of each attempt (implies --history)' },
  state: {
    kind: 'text',
    value: 'STATE',
    many: true,
    help: 'export only jobs in this state (repeatable)',
    choices: STATES,
  },
  queue: { kind: 'text', short: 'q', value: 'NAME', help: 'export only jobs in this queue' },
  group: { kind: 'text', value: 'NAME', help: 'export only jobs in this group' },
  force: { kind: 'flag', help: 'overwrite an existing file' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'export',
  purpose: 'set up',
  summary: 'export the queue to a file, as a backup or for another queue',
  usage: ['[FILE | -] [--all]'],
  options: OPTIONS,
  examples: [
    [
      'queuectl export --all backup.ndjson',
      'export everything except accounts and secrets; restore it with queuectl import',
    ],
    ['queuectl export --state dead dead.ndjson', 'export only dead jobs'],
    ['queuectl export --all | ssh host queuectl import -', 'copy the queue to another host'],
  ],
  notes: [
    'The file has one JSON object per line (docs/guides/backup.md). Without a filter it includes settings, groups, limits, recipes and schedules, but no users, ' +
      'tokens or secrets; export prints how many it left out. The file contains job environments and the webhook secret, and only you can read it.',
    'Workers may keep running. Each job is written in its current state; running jobs are written as pending.',
  ],
  completes: 'file',
  run: async (context) => {
    const [path = '-'] = exactArguments(context, context.args.length > 0 ? ['file'] : [], 'export');
    const wanted = wantedBy(context);
    const queue = await context.queue();
    if (path === '-') return toStdout(context, queue, wanted);
    const file = new NewFile(path, context.options.has('force'));
    try {
      const exported = await write(context, queue, wanted, (line) => file.write(line));
      file.finish();
      sayLeftOut(context, exported);
      return { data: toJson(path, exported), text: inWords(exported, ` to ${path}`) };
    } finally {
      file.discard();
    }
  },
};

async function toStdout(context: Context, queue: AnyQueue, wanted: Wanted): Promise<Result> {
  const { terminal } = context;
  const exported = await write(context, queue, wanted, (line) => terminal.out(line));
  terminal.remark(inWords(exported));
  sayLeftOut(context, exported);
  return {};
}

/** Reports what the backup does not contain. Older servers do not count it. */
function sayLeftOut({ terminal }: Context, { left_out }: Partial<Pick<Exported, 'left_out'>>): void {
  if (left_out === undefined) return;
  const { users: user, tokens: token, secrets: secret } = left_out;
  const parts = manyOf({ user, token, secret });
  if (parts.length > 0)
    terminal.remark(`not exported: ${parts.join(', ')}; to copy them to another database: queuectl migrate`);
}

async function write(
  { terminal }: Context,
  queue: AnyQueue,
  wanted: Wanted,
  out: (line: string) => void,
): Promise<Exported> {
  const total = await queue.countOf(wanted.filter ?? {});
  const startedAt = performance.now();
  try {
    const transfers = await queue.transfers();
    return await transfers.export(wanted, out, (jobs) => terminal.progress(lineOf(jobs, total, startedAt)));
  } finally {
    terminal.progress('');
  }
}

function lineOf(jobs: number, total: number | null, startedAt: number): string {
  const rate = (jobs / Math.max(1, performance.now() - startedAt)) * 1000;
  const share = total ? `${Math.min(100, Math.floor((jobs / total) * 100))} %  ` : '';
  return `${share}${count(jobs)} jobs written, ${count(rate)} a second`;
}

function wantedBy({ options }: Context<typeof OPTIONS>): Wanted {
  const outputs = options.has('all') || options.has('outputs');
  const filter = {
    ...(options.has('state')
      ? { states: options.all('state').flatMap((text) => text.split(',').map(stateNamed)) }
      : {}),
    ...(options.has('queue') ? { queue: options.text('queue') } : {}),
    ...(options.has('group') ? { group: options.text('group') } : {}),
  } satisfies JobFilter;
  return {
    history: outputs || options.has('history'),
    outputs,
    filter: Object.keys(filter).length === 0 ? null : filter,
  };
}

function inWords({ jobs, attempts, settings, schedules, running }: Exported, target = ''): string {
  const parts = [many(jobs, 'job'), ...manyOf({ attempt: attempts, setting: settings, schedule: schedules })];
  const put = running === 0 ? '' : `; ${many(running, 'running job')} exported as pending`;
  return `${parts.join(', ')} exported${target}${put}`;
}

const toJson = (file: string, exported: Exported) => ({ file, ...exported });
