// The fields of the form for jobs: how each is written in it and what it becomes.

import {
  isolationChange,
  isolationSaid,
  type Given,
  givenByIsolation,
  numberOrText,
  type Said,
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
  /** Can be changed while a job waits. */
  readonly isEditable?: boolean;
  /** From text to what the API takes. */
  readonly read?: (text: string) => unknown;
  /** From a job to text. */
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
    hint: '+5m, or a time with its zone',
    placeholder: '+5m',
    isEditable: true,
  },
  {
    name: 'timeout',
    label: 'Timeout',
    hint: 'of an attempt',
    placeholder: '10m',
    isEditable: true,
    write: timeout,
  },
  { name: 'max_retries', label: 'Retries', placeholder: 'as set', isEditable: true, read: numberOrText },
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
    label: 'After',
    hint: 'ids or names of jobs',
    placeholder: 'build',
    isMono: true,
    read: words,
    write: after,
  },
  { name: 'group', label: 'Group' },
  { name: 'id', label: 'Id', hint: 'made up when absent', isMono: true, write: () => '' },
  { name: 'cwd', label: 'Working directory', isMono: true },
];

/** Fields without an input of their own, as JSON. */
export const MORE = 'more';

/** What the form begins with. A job like another has all of its fields; a time that has passed is left out. */
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

/** null: what was typed is no JSON object. */
export function moreSaid(given: Given): Said | null {
  const text = given[MORE]?.trim() || '{}';
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null && !Array.isArray(said) ? (said as Said) : null;
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

/** Only what was said and differs from `before`; what was emptied is taken back. */
function saidOf(given: Given, before: Given): Said {
  const said: Record<string, unknown> = {};
  for (const { name, read = (text: string) => text } of FIELDS) {
    const [now = '', then = ''] = [given[name]?.trim(), before[name]];
    if (now !== then) said[name] = now === '' ? null : read(now);
  }
  return said;
}

export const changeSaid = (given: Given, before: Given): Said => ({
  ...saidOf(given, before),
  ...isolationChange(given, before),
});

/** A new job. What was left as it is stays exactly that: a list of words, a rule of a dependency. A recipe makes the command. */
export function newJobSaid(given: Given, start: Given, like: Job | undefined): Said {
  const settable = like ? settableOf(like, Date.now()) : {};
  const typed = saidOf(given, {});
  const same = Object.keys(typed).filter((name) => name in settable && given[name] === start[name]);
  const { command, ...said } = {
    ...typed,
    ...Object.fromEntries(same.map((name) => [name, settable[name]])),
  };
  const isolation = isolationSaid(given);
  const more = moreSaid(given) ?? {};
  if (isolation.recipe !== undefined) return { ...isolation, ...said, ...more };
  return { command, ...said, ...isolation, ...more };
}
