import { usageError } from '../../errors/errors.ts';
import { editableNames, type EditInput } from '../../job/input/edit-input.ts';
import type { Edit } from '../../job/input/edit.ts';
import { ENTRIES, type FieldName, flagsOf } from '../../job/fields/fields.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { BULK_OPTIONS, CHOOSING_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import { type Command, type Context, eachOption, type OptionSpecs, without } from '../command.ts';
import { checkFolder } from '../enqueue/job-intake.ts';
import { FIELD_OPTIONS, saidByFlags } from '../options/job-options.ts';

const FIELD_OPTION_NAMES = Object.keys(FIELD_OPTIONS) as ('queue' | 'group' | 'tag')[];

/** The options that select jobs. Options with the name of a field set that field here. */
const CHOOSING_HERE = without(CHOOSING_OPTIONS, ...FIELD_OPTION_NAMES);
const CHOOSING = Object.keys(CHOOSING_HERE);

const EDITABLE = ENTRIES.flatMap(([name, { edit }]) => (edit === undefined ? [] : (name as Exclude<FieldName, 'id'>)));

/** Options of fields that cannot be edited are hidden but accepted: the error explains why. */
const OPTIONS = {
  ...eachOption(without(FIELD_OPTIONS, 'id'), { hidden: true }),
  ...eachOption(flagsOf(EDITABLE), { hidden: false }),
  unset: {
    kind: 'text',
    value: 'FIELD',
    many: true,
    help: 'remove a field: timeout, run-at, tags, on-dead (repeatable)',
  },
  file: { kind: 'text', value: 'FILE', help: 'fields to change, as JSON or YAML; - for stdin' },
  ...CHOOSING_HERE,
  ...BULK_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'edit',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'change waiting jobs, in an editor or with options',
  usage: ['ID', 'ID... --FIELD VALUE ... [--unset FIELD]', 'ID... --file FILE', '--filter FILTER --FIELD VALUE ...'],
  options: OPTIONS,
  examples: [
    ['queuectl edit k3f9', 'edit the job in $VISUAL or $EDITOR'],
    ['queuectl edit k3f9 --memory 1G --sandbox strict', 'change the memory limit and sandbox of a job'],
    ["queuectl edit k3f9 --command 'make -j2' --timeout 10m", 'change the command and timeout of a job'],
    ["queuectl edit --filter 'queue:mail state:failed' --max-retries 9", 'edit all matching jobs after confirmation'],
  ],
  notes: [
    'edit accepts blocked, pending and failed jobs. --env, --tag and --secret replace all existing values.',
    'The dependencies, the group and the unique key of a job cannot be changed after it is enqueued.',
  ],
  completes: 'job',
  run: async (context) => {
    const queue = await context.queue();
    const said = await saidBy(context);
    const edit = said ? editFrom(context, queue, said, said.zone) : await editInEditor(context, queue);
    if (edit === null) return { data: [], text: 'nothing was changed' };
    const change = { kind: 'edit', edit } as const;
    return changeJobs(
      context,
      {
        name: 'edit',
        change,
        action: (jobs) => `edit ${jobs}`,
        done: 'edited',
        isDestructive: true,
        choosing: CHOOSING,
      },
      (_, ids) => queue.change(ids, change),
      ({ state }) => `edited, ${state}`,
    );
  },
};

interface Said {
  readonly fields: EditInput;
  /** The zone of times without one: UTC in a file, local on the command line. */
  readonly zone: 'local' | 'utc';
}

/** Returns null without options and a file. */
async function saidBy(context: Context<typeof OPTIONS>): Promise<Said | null> {
  const { options } = context;
  const flags = { ...saidByFlags(context), ...taken(options.all('unset')) };
  const path = options.text('file');
  if (path === undefined) return Object.keys(flags).length === 0 ? null : { fields: flags, zone: 'local' };
  if (Object.keys(flags).length > 0) throw usageError('options and --file cannot be combined', 'use one of them');
  const { readDocument } = await import('../jobs/edit-document.ts');
  return { fields: await readDocument(path), zone: 'utc' };
}

const taken = (names: readonly string[]): EditInput =>
  Object.fromEntries(names.flatMap((list) => list.split(',')).map((name) => [name.replaceAll('-', '_'), null]));

function editFrom(context: Context, queue: AnyQueue, { fields }: Said, zone: Said['zone']): Edit {
  const edit = queue.readEdit(fields, context.cwd, zone);
  if (typeof edit.cwd === 'string' && !queue.spansHosts) checkFolder(edit.cwd);
  return edit;
}

/** Returns null if nothing was changed. */
async function editInEditor(context: Context, queue: AnyQueue): Promise<Edit | null> {
  const [id, ...more] = [...context.args, ...(context.exact ?? [])];
  if (id === undefined || more.length > 0 || Object.keys(context.options.pick(...CHOOSING)).length > 0)
    throw usageError(
      id === undefined ? 'missing job ID' : 'the editor accepts only one job at a time',
      `queuectl edit ID, or change fields with options: ${editableNames()
        .slice(0, 4)
        .map((name) => `--${name}`)
        .join(' ')}`,
    );
  const { editJob } = await import('../jobs/edit-document.ts');
  return editJob(context, await queue.find(id), (fields) =>
    editFrom(context, queue, { fields, zone: 'local' }, 'local'),
  );
}
