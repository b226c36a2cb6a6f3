// The export format: NDJSON, one object per line. First the header, then settings, rows of the queue's own tables, and
// jobs. The attempts of a job follow it, and the output of an attempt follows the attempt. The last line has counts,
// which reveal a truncated file.
//
// Cells are named like columns, without null values and without columns that are only meaningful in one database.

import type { Queue } from '../queue/queue.ts';
import type { JobFilter } from '../store/store.ts';

export type TransferQueue = Pick<Queue, 'store' | 'place' | 'now'>;

export const FORMAT = 1;

/** Environments are written once and referred to by number; numbers are reused after this many. */
export const ENVIRONMENT_SLOTS = 256;

/** Maximum bytes of output per line. */
export const OUTPUT_LINE_BYTES = 49_152;

export type PortableCells = Readonly<Record<string, string | number>>;

export interface Header {
  readonly format: number;
  readonly schema: number;
  readonly exported_at: string;
  /** Source location, without a password. */
  readonly database: string;
  readonly history: boolean;
  readonly outputs: boolean;
  readonly filter: JobFilter | null;
}

export interface JobLine {
  readonly job: PortableCells;
  /** Number of its environment. */
  readonly environment?: number;
  readonly rows?: Readonly<Record<string, readonly PortableCells[]>>;
  /** Standard input, as base64. */
  readonly stdin?: string;
}

export type Line =
  | { readonly queuectl: Header }
  | { readonly setting: { readonly key: string; readonly value: string | number | null } }
  | { readonly row: PortableCells; readonly table: string }
  | { readonly environment: number; readonly variables: string }
  | JobLine
  | { readonly attempt: PortableCells }
  | { readonly output: string; readonly from: number }
  | { readonly end: Counts & { readonly running?: number } };

export interface Counts {
  readonly settings: number;
  readonly rows: number;
  readonly jobs: number;
  readonly attempts: number;
  readonly outputs: number;
}

export const NO_COUNTS: Counts = { settings: 0, rows: 0, jobs: 0, attempts: 0, outputs: 0 };

/** The count that each kind of line adds to. */
const COUNTED: Readonly<Record<string, keyof Counts>> = {
  setting: 'settings',
  row: 'rows',
  job: 'jobs',
  attempt: 'attempts',
  output: 'outputs',
};

export function counted(counts: Counts, line: object): Counts {
  const name = Object.keys(line)
    .map((key) => COUNTED[key])
    .find((known) => known !== undefined);
  return name === undefined ? counts : { ...counts, [name]: counts[name] + 1 };
}

/** Columns that are only meaningful in one database, by table. */
export const LOCAL_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  jobs: ['seq', 'environment_id', 'ready', 'waits_at', 'locked_by', 'locked_at', 'cancel_requested_at'],
  attempts: ['job_seq', 'log_path'],
  dependencies: ['job_seq', 'parent_seq'],
  tags: ['job_seq'],
  groups: ['hooked_up_to'],
  schedules: ['environment_id'],
};

/** Sorted by name, so that equal cells produce equal lines. */
export function portable(table: string, cells: Readonly<Record<string, unknown>>): PortableCells {
  const local = LOCAL_COLUMNS[table] ?? ['job_seq'];
  const entries = Object.entries(cells).filter(([name, value]) => value !== null && !local.includes(name));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as PortableCells;
}
