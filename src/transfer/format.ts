// The file that a queue is exported to: NDJSON, a thing a line. First the header, then settings, rows of the queue's own
// tables and jobs; the attempts of a job stand behind it, and what an attempt wrote behind that. The last line counts
// them all, so that a file which was cut short is known by it.
//
// Cells have the names of the columns, without those that are null and those that mean something in one place only.

import type { Queue } from '../queue/queue.ts';
import type { JobFilter } from '../store/store.ts';

/** What a transfer needs of a queue. */
export type TransferQueue = Pick<Queue, 'store' | 'place' | 'now'>;

export const FORMAT = 1;

/** Environments are written once and referred to by a number; a number is used again after so many others. */
export const ENVIRONMENT_SLOTS = 256;

/** What an attempt wrote comes in lines of so many bytes. */
export const OUTPUT_LINE_BYTES = 49_152;

export type PortableCells = Readonly<Record<string, string | number>>;

export interface Header {
  readonly format: number;
  readonly schema: number;
  readonly exported_at: string;
  /** Where the queue was, without a password. */
  readonly database: string;
  readonly history: boolean;
  readonly outputs: boolean;
  readonly filter: JobFilter | null;
}

export interface JobLine {
  readonly job: PortableCells;
  /** The number of its environment. */
  readonly environment?: number;
  readonly rows?: Readonly<Record<string, readonly PortableCells[]>>;
  /** What it is given to read, as base64. */
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

/** What each kind of line adds to which count. */
export const COUNTED: Readonly<Record<string, keyof Counts>> = {
  setting: 'settings',
  row: 'rows',
  job: 'jobs',
  attempt: 'attempts',
  output: 'outputs',
};

/** Columns that mean something in one place only, by their tables. */
export const LOCAL_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  jobs: ['seq', 'environment_id', 'ready', 'waits_at', 'locked_by', 'locked_at', 'cancel_requested_at'],
  attempts: ['job_seq', 'log_path'],
  dependencies: ['job_seq', 'parent_seq'],
  tags: ['job_seq'],
  groups: ['hooked_up_to'],
  schedules: ['environment_id'],
};

/** In the order of their names, so that the same cells make the same line wherever they come from. */
export function portable(table: string, cells: Readonly<Record<string, unknown>>): PortableCells {
  const local = LOCAL_COLUMNS[table] ?? ['job_seq'];
  const entries = Object.entries(cells).filter(([name, value]) => value !== null && !local.includes(name));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as PortableCells;
}
