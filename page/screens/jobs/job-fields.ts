// Fields of the job form, and their conversion from and to API values.

import {
  isolationChange,
  isolationInput,
  type Given,
  givenByIsolation,
  numberOrText,
  type Input,
  words,
} from '../../isolation/given.ts';
import { commandText } from '../../core/format.ts';
import { type Fields, settableOf } from '../../core/settable.ts';
import type { Job } from '../../core/types.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isMono?: boolean;
  /** Whether the field of a waiting job can be edited. */
  readonly isEditable?: boolean;
  readonly read?: (text: string) => unknown;
  /** Converts a job's value to text. */
  readonly write?: (job: Job) => string;
}

export const FIELDS: readonly Field[] = [
  { name: 'command', label: 'Command', isEditable: true, write: ({ command }) => commandText(command) },
  { name: 'queue', label: 'Queue', placeholder: 'default', isEditable: true },
  {
    name: 'priority',
    label: 'Priority',
    hint: 'higher first',
    placeholder: '0',
    isEditable: true,
    read: numberOrText,
  },
  {
    name: 'run_at',
    label: 'Not before',
    hint: '+5m, or a time with zone',
    placeholder: '+5m',
    isEditable: true,
  },
  {
    name: 'timeout',
    label: 'Timeout',
    hint: 'per attempt',
    placeholder: '10m',
    isEditable: true,
    write: timeout,
  },
  { name: 'max_retries', label: 'Retries', placeholder: 'default', isEditable: true, read: numberOrText },
  {
    name: 'tags',
    label: 'Tags',
    placeholder: 'nightly eu',
    isEditable: true,
    read: words,
    write: ({ tags }) => tags.join(' '),
  },
  {
    name: 'depends_on',
    label: 'Depends on',
    hint: 'job IDs or names',
    placeholder: 'build',
    isMono: true,
    read: words,
    write: after,
  },
  { name: 'group', label: 'Group' },
  { name: 'id', label: 'ID', hint: 'default: generated', isMono: true, write: () => '' },
  { name: 'cwd', label: 'Working directory', isMono: true },
];

/** The field for all other values, as JSON. */
export const MORE = 'more';

/** The initial values. A clone has all fields of its job except a past time. */
export function givenBy(job: Job | undefined, isEdit: boolean): Given {
  if (!job) return {};
  const texts = FIELDS.map((field) => [field.name, field.write ? field.write(job) : plain(job, field.name)]);
  const given = { ...Object.fromEntries(texts), ...givenByIsolation(job) };
  if (isEdit) return given;
  const settable = settableOf(job, Date.now());
  return {
    ...given,
    run_at: String(settable.run_at ?? ''),
    queue: job.queue === 'default' ? '' : job.queue,
    priority: job.priority === 0 ? '' : String(job.priority),
    [MORE]: moreText(settable),
  };
}

const IN_FORM = new Set([
  ...FIELDS.map(({ name }) => name),
  ...['timeout_seconds', 'limits', 'sandbox', 'user', 'recipe', 'params', 'secrets'],
]);

function moreText(settable: Fields): string {
  const more = Object.entries(settable).filter(([name]) => !IN_FORM.has(name));
  return more.length === 0 ? '' : JSON.stringify(Object.fromEntries(more), null, 1);
}

/** Returns null if the text is not a JSON object. */
export function moreInput(given: Given): Input | null {
  const text = given[MORE]?.trim() || '{}';
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Input) : null;
  } catch {
    return null;
  }
}

const plain = (job: Job, name: string): string => String((job as Record<string, unknown>)[name] ?? '');

function timeout({ timeout_seconds }: Job): string {
  return timeout_seconds === null ? '' : `${timeout_seconds}s`;
}

function after({ depends_on }: Job): string {
  return depends_on.map((one) => (typeof one === 'string' ? one : one.on)).join(' ');
}

/** The fields that differ from `before`; an emptied field is reset. */
function inputOf(given: Given, before: Given): Input {
  const input: Record<string, unknown> = {};
  for (const { name, read = (text: string) => text } of FIELDS) {
    const [now = '', then = ''] = [given[name]?.trim(), before[name]];
    if (now !== then) input[name] = now === '' ? null : read(now);
  }
  return input;
}

export const changeInput = (given: Given, before: Given): Input => ({
  ...inputOf(given, before),
  ...isolationChange(given, before),
});

/**
 * The values of a new job. Unchanged values keep their exact form, such as a list of words. A recipe supplies the
 * command.
 */
export function newJobInput(given: Given, start: Given, like: Job | undefined): Input {
  const settable = like ? settableOf(like, Date.now()) : {};
  const typed = inputOf(given, {});
  const same = Object.keys(typed).filter((name) => name in settable && given[name] === start[name]);
  const { command, ...input } = {
    ...typed,
    ...Object.fromEntries(same.map((name) => [name, settable[name]])),
  };
  const isolation = isolationInput(given);
  const more = moreInput(given) ?? {};
  if (isolation.recipe !== undefined) return { ...isolation, ...input, ...more };
  return { command, ...input, ...isolation, ...more };
}
