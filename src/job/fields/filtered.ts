// Fields for filters: comparison, word in the filter language, and flag. Separate from the other properties of fields,
// because the dashboard needs only these.

/** How values are compared with columns. One matching value suffices. */
export type Comparison =
  | 'one of'
  | 'our word' // like 'one of'; the SQL contains the word literally, as partial indexes require
  | 'contains'
  | 'starts with'
  | 'tagged' // a row of the table of tags has the seq and one of the values
  | 'is set' // true or false
  | 'before' // 'before' and 'since' compare the first column that is not null
  | 'since';

export interface FieldFilter {
  readonly columns: readonly [string, ...string[]];
  readonly compares: Comparison;
  /** True if the table of counters has the column. */
  readonly isCounted?: boolean;
  /** Help for the word in the filter language. Absent if the language reads it differently or not at all. */
  readonly help?: string;
  /** Flag of `list` and of bulk commands. */
  readonly flag?: {
    readonly short?: string;
    readonly value: string;
    readonly many?: boolean;
    readonly help: string;
  };
}

/** Filters that take one or more texts. */
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
