// Resource limits of a job or a queue: form fields, typed values and readable values.

import { IO_CLASSES, type ResourceLimits } from '../../src/job/isolation/resource-limits.ts';
import { sizeText } from '../../src/text/size.ts';
import { count, duration } from '../core/format.ts';
import type { Job } from '../core/types.ts';

export type Limits = NonNullable<Job['limits']>;

export interface Limit {
  /** The name in input; the flag has dashes instead of underscores. */
  readonly name: string;
  /** The name in output, with its unit. */
  readonly shownAs: keyof Limits;
  /** The name in src/job. */
  readonly kind: keyof ResourceLimits;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly choices?: readonly { readonly value: string; readonly words: string }[];
  /** The value as a user types it. */
  readonly typed: (value: never) => string;
  readonly words: (value: never) => string;
}

const number = { typed: String, words: count };
const size = { typed: typedSize, words: sizeText };

export const LIMITS: readonly Limit[] = [
  {
    name: 'memory',
    shownAs: 'memory_bytes',
    kind: 'memoryBytes',
    label: 'Memory',
    hint: 'all processes together',
    placeholder: '512M',
    ...size,
  },
  {
    name: 'cpu',
    shownAs: 'cpu_percent',
    kind: 'cpuPercent',
    label: 'CPU',
    hint: 'share of a core',
    placeholder: '50%',
    typed: (percent: number) => `${percent}%`,
    words: (percent: number) => `${count(percent)} % of a core`,
  },
  {
    name: 'cpu_time',
    shownAs: 'cpu_seconds',
    kind: 'cpuSeconds',
    label: 'CPU time',
    hint: 'total',
    placeholder: '60s',
    typed: (seconds: number) => `${seconds}s`,
    words: (seconds: number) => duration(seconds * 1000),
  },
  {
    name: 'processes',
    shownAs: 'processes',
    kind: 'processes',
    label: 'Processes',
    hint: 'at once',
    placeholder: '100',
    ...number,
  },
  {
    name: 'open_files',
    shownAs: 'open_files',
    kind: 'openFiles',
    label: 'Open files',
    hint: 'per process',
    placeholder: '256',
    ...number,
  },
  {
    name: 'file_size',
    shownAs: 'file_bytes',
    kind: 'fileBytes',
    label: 'File size',
    hint: 'per written file',
    placeholder: '1G',
    ...size,
  },
  {
    name: 'nice',
    shownAs: 'nice',
    kind: 'nice',
    label: 'Nice',
    hint: '0 to 19; 19 is the lowest priority',
    placeholder: '10',
    ...number,
  },
  {
    name: 'io_class',
    shownAs: 'io_class',
    kind: 'ioClass',
    label: 'Disk priority',
    hint: 'I/O class',
    choices: [{ value: '', words: 'normal' }, ...IO_CLASSES.map((name) => ({ value: name, words: name }))],
    typed: String,
    words: String,
  },
  {
    name: 'mode',
    shownAs: 'mode',
    kind: 'isBestEffort',
    label: 'If a limit cannot be enforced',
    choices: [
      { value: '', words: 'do not start the job' },
      { value: 'best-effort', words: 'ignore the limit (best effort)' },
    ],
    typed: String,
    words: () => 'best effort: limits that cannot be enforced are ignored',
  },
];

/** The form field of a limit, named like in the server's errors. */
export const fieldName = ({ name }: Pick<Limit, 'name'>): string => `limits.${name}`;

/** The flag of `enqueue` and `queue set`. */
export const flagName = ({ name }: Pick<Limit, 'name'>): string =>
  name === 'mode' ? 'limits' : name.replaceAll('_', '-');

/** '512M'; a size that no unit divides stays in bytes. */
function typedSize(bytes: number): string {
  const power = [4, 3, 2, 1].find((one) => bytes > 0 && bytes % 1024 ** one === 0) ?? 0;
  return `${bytes / 1024 ** power}${['', 'K', 'M', 'G', 'T'][power]}`;
}

/** The value as a user types it; '' if it is unset. */
export const typedLimit = ({ shownAs, typed }: Limit, limits: Limits | null): string =>
  limits?.[shownAs] === undefined ? '' : typed(limits[shownAs] as never);

/** The value in readable form; '' if it is unset. */
export const limitWords = ({ shownAs, words }: Limit, limits: Limits | null): string =>
  limits?.[shownAs] === undefined ? '' : words(limits[shownAs] as never);

/** The label in a list of facts. */
export const limitLabel = ({ name, label }: Limit): string =>
  name === 'mode' ? 'limits' : label.toLowerCase().replace('cpu', 'CPU');

/** 'memory 512 MiB · nice 10'; '' without limits. */
export const limitsText = (limits: Limits | null): string =>
  LIMITS.filter((limit) => limitWords(limit, limits) !== '')
    .map((limit) => `${limit.name === 'mode' ? '' : `${limitLabel(limit)} `}${limitWords(limit, limits)}`)
    .join(' · ');
