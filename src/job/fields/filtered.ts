// The fields by which jobs are filtered: how each compares, its word in the filter language, and its flag. Apart from the other
// properties of the fields, because the dashboard completes filters, and needs nothing else of them.

/** How values are compared with columns, of which the first one that matches will do. */
export type Comparison =
  | 'one of'
  | 'our word' // the same; a word of ours is written into the SQL, or no partial index would be found by it
  | 'contains'
  | 'starts with'
  | 'tagged' // the table of tags has the seq for one of the values
  | 'is set' // true or false
  | 'before' // this and the next: the first of the columns that has a value
  | 'since';

export interface FieldFilter {
  readonly columns: readonly [string, ...string[]];
  readonly compares: Comparison;
  /** Whether the table of counters has the column. */
  readonly isCounted?: boolean;
  /** Its word in the filter language, explained. Absent: the language has it otherwise, or not. */
  readonly help?: string;
  /** The flag of `list` and of commands that change many jobs. */
  readonly flag?: {
    readonly short?: string;
    readonly value: string;
    readonly many?: boolean;
    readonly help: string;
  };
}

/** Filters that take a text, or several of which one must match. */
export const FIELD_FILTERS = {
  queue: {
    columns: ['queue'],
    compares: 'one of',
    isCounted: true,
    help: 'name of the queue',
    flag: { short: 'q', value: 'NAME', help: 'select jobs in this queue' },
  },
  group: {
    columns: ['group_name'],
    compares: 'one of',
    help: 'name of the group',
    flag: { value: 'NAME', help: 'select jobs in this group' },
  },
  tag: {
    columns: ['seq'],
    compares: 'tagged',
    help: 'one of the tags',
    flag: { value: 'TAG', many: true, help: 'select jobs with this tag (repeatable; all must match)' },
  },
  key: { columns: ['key'], compares: 'one of', help: 'concurrency key' },
  schedule: { columns: ['schedule'], compares: 'one of', help: 'schedule that created the job' },
  name: { columns: ['name'], compares: 'one of', help: 'name of the job' },
  id: { columns: ['id'], compares: 'starts with', help: 'start of the job ID' },
  fingerprint: { columns: ['fingerprint'], compares: 'one of' },
  error: { columns: ['last_error'], compares: 'contains' },
} as const satisfies Readonly<Record<string, FieldFilter>>;

export type FieldFilterName = keyof typeof FIELD_FILTERS;
export const FIELD_FILTER_NAMES = Object.keys(FIELD_FILTERS) as FieldFilterName[];
export const fieldFilter = (name: FieldFilterName): FieldFilter => FIELD_FILTERS[name];
