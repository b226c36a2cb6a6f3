// The columns that a new job has only if it takes part in a flow. Most jobs do not, and are inserted without them.

import { confinementText } from '../../job/isolation/isolation.ts';
import type { Dependency } from '../../job/flow/dependencies.ts';
import { hooksIn, hooksText } from '../../job/flow/hooks.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { rulesText } from '../../job/outcome-rules.ts';
import type { Row } from './rows.ts';

type Value = string | number | null;

/** In the order of `flowValues`, with the types that PostgreSQL gives them; SQLite needs none. */
const COLUMNS = {
  name: 'text',
  group_name: 'text',
  key: 'text',
  key_concurrency: 'bigint',
  weight: 'bigint',
  depends_on: 'text',
  on_dependency_failure: 'text',
  schedule: 'text',
  scheduled_at: 'bigint',
  hooks: 'text',
  hook_of: 'text',
  tags: 'text',
  unique_key: 'text',
  outcome_rules: 'text',
  stdin_bytes: 'bigint',
  confinement: 'text',
} as const;

export const FLOW_COLUMNS: readonly string[] = Object.keys(COLUMNS);
export const FLOW_TYPES: Readonly<Record<string, string>> = COLUMNS;

/** A column is null when nothing is given. One list, because it is used for every job, and most have none of these. */
export const flowValues = (job: NewJob): Value[] => [
  job.name,
  job.group,
  job.key,
  job.keyConcurrency,
  job.weight,
  listText(job.dependsOn),
  unless('cancel', job.onDependencyFailure),
  job.schedule,
  job.scheduledAt,
  hooksText(job.hooks),
  job.hookOf,
  listText(job.tags),
  job.uniqueKey,
  rulesText(job.outcomeRules),
  job.stdin?.length ?? null,
  confinementText(job.confinement),
];

/** Whether it says nothing that these columns hold. */
export const isPlain = (job: NewJob): boolean => flowValues(job).every(isNull);

const isNull = (value: Value): boolean => value === null;

export type FlowFields = Pick<
  Job,
  | 'name'
  | 'group'
  | 'key'
  | 'keyConcurrency'
  | 'weight'
  | 'dependsOn'
  | 'onDependencyFailure'
  | 'schedule'
  | 'hooks'
  | 'hookOf'
  | 'tags'
  | 'uniqueKey'
  | 'held'
>;

export const flowOf = (row: Row): FlowFields => ({
  name: row.name as string | null,
  group: row.group_name as string | null,
  key: row.key as string | null,
  keyConcurrency: row.key_concurrency as number | null,
  weight: row.weight as number | null,
  dependsOn: listOf<Dependency>(row.depends_on),
  onDependencyFailure: (row.on_dependency_failure ?? 'cancel') as Job['onDependencyFailure'],
  schedule: row.schedule as string | null,
  hooks: hooksIn(row.hooks),
  hookOf: row.hook_of as string | null,
  tags: listOf<string>(row.tags),
  held: row.held as string | null,
  uniqueKey: row.unique_key as string | null,
});

const unless = (usual: string, value: string): string | null => (value === usual ? null : value);

const listText = (list: readonly unknown[]): string | null =>
  list.length === 0 ? null : JSON.stringify(list);

/** What somebody has written there by hand, and cannot be read, is shown as nothing. */
function listOf<T>(text: unknown): readonly T[] {
  if (typeof text !== 'string') return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
