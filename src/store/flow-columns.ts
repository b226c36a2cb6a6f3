// The columns that a new job has only if it takes part in a flow. Most jobs do not, and are inserted without them.

import { confinementText } from '../job/confinement.ts';
import type { Dependency } from '../job/dependencies.ts';
import { hooksIn, hooksText } from '../job/hooks.ts';
import type { Job, NewJob } from '../job/job.ts';
import { rulesText } from '../job/outcome-rules.ts';
import type { Row } from './rows.ts';

type Value = string | number | null;

interface FlowColumn {
  readonly name: string;
  /** In PostgreSQL; SQLite needs none. */
  readonly type: 'text' | 'bigint';
  /** null is what the column holds when nothing is said. */
  readonly said: (job: NewJob) => Value;
}

const COLUMNS: readonly FlowColumn[] = [
  { name: 'name', type: 'text', said: ({ name }) => name },
  { name: 'group_name', type: 'text', said: ({ group }) => group },
  { name: 'key', type: 'text', said: ({ key }) => key },
  { name: 'key_concurrency', type: 'bigint', said: ({ keyConcurrency }) => keyConcurrency },
  { name: 'weight', type: 'bigint', said: ({ weight }) => weight },
  { name: 'depends_on', type: 'text', said: ({ dependsOn }) => listText(dependsOn) },
  {
    name: 'on_dependency_failure',
    type: 'text',
    said: (job) => unless('cancel', job.onDependencyFailure),
  },
  { name: 'schedule', type: 'text', said: ({ schedule }) => schedule },
  { name: 'scheduled_at', type: 'bigint', said: ({ scheduledAt }) => scheduledAt },
  { name: 'hooks', type: 'text', said: ({ hooks }) => hooksText(hooks) },
  { name: 'hook_of', type: 'text', said: ({ hookOf }) => hookOf },
  { name: 'tags', type: 'text', said: ({ tags }) => listText(tags) },
  { name: 'unique_key', type: 'text', said: ({ uniqueKey }) => uniqueKey },
  { name: 'outcome_rules', type: 'text', said: ({ outcomeRules }) => rulesText(outcomeRules) },
  { name: 'confinement', type: 'text', said: ({ confinement }) => confinementText(confinement) },
  { name: 'stdin_bytes', type: 'bigint', said: ({ stdin }) => stdin?.length ?? null },
];

export const FLOW_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);
export const FLOW_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  COLUMNS.map(({ name, type }) => [name, type]),
);

export const flowValues = (job: NewJob): Value[] => COLUMNS.map(({ said }) => said(job));

/** Whether it says nothing that these columns hold. */
export function isPlain(job: NewJob): boolean {
  for (const { said } of COLUMNS) if (said(job) !== null) return false;
  return true;
}

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
