// The limits of a job or of a queue: as fields of a form, as one would type them, and as people read them.

import { IO_CLASSES, type ResourceLimits } from '../../src/job/isolation/resource-limits.ts';
import { sizeText } from '../../src/text/size.ts';
import { count, duration } from '../core/format.ts';
import type { Job } from '../core/types.ts';

export type Limits = NonNullable<Job['limits']>;

export interface Limit {
  /** As input calls it; its flag has dashes instead. */
  readonly name: string;
  /** As it is called where it is shown, with its unit. */
  readonly shownAs: keyof Limits;
  /** As src/job calls it. */
  readonly kind: keyof ResourceLimits;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly choices?: readonly { readonly value: string; readonly words: string }[];
  /** As one would type it. */
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
    hint: 'of all its processes',
    placeholder: '512M',
    ...size,
  },
  {
    name: 'cpu',
    shownAs: 'cpu_percent',
    kind: 'cpuPercent',
    label: 'CPU',
    hint: 'part of a core',
    placeholder: '50%',
    typed: (percent: number) => `${percent}%`,
    words: (percent: number) => `${count(percent)} % of a core`,
  },
  {
    name: 'cpu_time',
    shownAs: 'cpu_seconds',
    kind: 'cpuSeconds',
    label: 'CPU time',
    hint: 'in all',
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
    hint: 'of each process',
    placeholder: '256',
    ...number,
  },
  {
    name: 'file_size',
    shownAs: 'file_bytes',
    kind: 'fileBytes',
    label: 'File size',
    hint: 'of any file it writes',
    placeholder: '1G',
    ...size,
  },
  {
    name: 'nice',
    shownAs: 'nice',
    kind: 'nice',
    label: 'Nice',
    hint: '0 to 19: others go first',
    placeholder: '10',
    ...number,
  },
  {
    name: 'io_class',
    shownAs: 'io_class',
    kind: 'ioClass',
    label: 'Disks',
    hint: 'beside others',
    choices: [{ value: '', words: 'as usual' }, ...IO_CLASSES.map((name) => ({ value: name, words: name }))],
    typed: String,
    words: String,
  },
  {
    name: 'mode',
    shownAs: 'mode',
    kind: 'isBestEffort',
    label: 'A limit that cannot be enforced',
    choices: [
      { value: '', words: 'keeps the job from starting' },
      { value: 'best-effort', words: 'is left out: best effort' },
    ],
    typed: String,
    words: () => 'best effort: what cannot be enforced is left out',
  },
];

/** How a field of a form that holds a limit is named: as the server names it when it refuses one. */
export const fieldName = ({ name }: Pick<Limit, 'name'>): string => `limits.${name}`;

/** The flag of enqueue and queue set. */
export const flagName = ({ name }: Pick<Limit, 'name'>): string =>
  name === 'mode' ? 'limits' : name.replaceAll('_', '-');

/** '512M', and what no unit divides as it is. */
function typedSize(bytes: number): string {
  const power = [4, 3, 2, 1].find((one) => bytes > 0 && bytes % 1024 ** one === 0) ?? 0;
  return `${bytes / 1024 ** power}${['', 'K', 'M', 'G', 'T'][power]}`;
}

export const typedLimit = (limit: Limit, limits: Limits | null): string => {
  const value = limits?.[limit.shownAs];
  return value === undefined ? '' : limit.typed(value as never);
};

export const limitWords = (limit: Limit, value: Limits[keyof Limits]): string => limit.words(value as never);

/** As a fact is called. */
export const limitLabel = ({ name, label }: Limit): string =>
  name === 'mode' ? 'limits' : label.toLowerCase().replace('cpu', 'CPU');

/** 'memory 512 MiB · nice 10'; '': none. */
export const limitsText = (limits: Limits | null): string =>
  LIMITS.filter(({ shownAs }) => limits?.[shownAs] !== undefined)
    .map(
      (limit) =>
        `${limit.name === 'mode' ? '' : `${limitLabel(limit)} `}${limitWords(limit, limits?.[limit.shownAs])}`,
    )
    .join(' · ');
