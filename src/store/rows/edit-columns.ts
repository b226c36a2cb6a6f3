// What an edit writes: the columns of each field that may be edited, but for when the job may start, which src/job decides.

import { type Edit, type Edited, partsAfter, type ReplacedField } from '../../job/input/edit.ts';
import { confinementOf, confinementText } from '../../job/isolation/isolation.ts';
import { hooksIn, hooksText } from '../../job/flow/hooks.ts';
import { rulesOf, rulesText } from '../../job/outcome-rules.ts';
import type { Waiting } from '../../job/waiting-change.ts';

export interface EditCell {
  readonly column: string;
  /** In PostgreSQL; SQLite needs none. */
  readonly type: 'text' | 'bigint' | 'smallint' | 'double precision';
  readonly value: string | number | null;
}

type Writer<K extends ReplacedField> = (value: Exclude<Edit[K], undefined>) => EditCell[];

const text = (column: string) => (value: string | null) => [{ column, type: 'text', value } as const];
const whole = (column: string) => (value: number) => [{ column, type: 'bigint', value } as const];
const real = (column: string) => (value: number | null) => [
  { column, type: 'double precision', value } as const,
];

/** Looked at more closely when it is claimed. What was once, stays so: a job without a key may have a group. */
const GATED: readonly EditCell[] = [{ column: 'gated', type: 'smallint', value: 1 }];

const orNone = (column: string) => (value: number | null) => [{ column, type: 'bigint', value } as const];

const WRITERS: { readonly [K in ReplacedField]: Writer<K> } = {
  command: (command) => [
    {
      column: 'command',
      type: 'text',
      value: typeof command === 'string' ? command : JSON.stringify(command),
    },
    { column: 'is_argv', type: 'smallint', value: typeof command === 'string' ? 0 : 1 },
  ],
  queue: text('queue'),
  priority: whole('priority'),
  maxRetries: whole('max_retries'),
  backoffBase: real('backoff_base'),
  backoffStrategy: text('backoff_strategy'),
  timeoutSeconds: real('timeout_seconds'),
  runAt: () => [],
  cwd: text('cwd'),
  env: (env) => text('env')(Object.keys(env).length === 0 ? null : JSON.stringify(env)),
  splitOutput: (isSplit) => [{ column: 'split_output', type: 'smallint', value: isSplit ? 1 : 0 }],
  name: text('name'),
  key: (key) => [...text('key')(key), ...(key === null ? [] : GATED)],
  keyConcurrency: orNone('key_concurrency'),
  weight: (weight) => [...orNone('weight')(weight), ...((weight ?? 1) > 1 ? GATED : [])],
  tags: (tags) => text('tags')(tags.length === 0 ? null : JSON.stringify(tags)),
};

/** A job that waits, by WAITING_COLUMNS. */
export interface WaitingRow extends Waiting, Pick<Edited, 'id' | 'timeoutSeconds' | 'hookOf'> {
  readonly seq: number;
  readonly rulesText: string | null;
  readonly hooksText: string | null;
  readonly confinementText: string | null;
}

/** What src/job asks of a waiting job, under the names it knows. In quotes, or PostgreSQL would lower them. */
export const WAITING_COLUMNS = `seq, id, state, run_at AS "runAt", next_run_at AS "nextRunAt", held, snoozes,
  timeout_seconds AS "timeoutSeconds", hook_of AS "hookOf", outcome_rules AS "rulesText", hooks AS "hooksText", confinement AS "confinementText"`;

/** The columns are the same for every job, their values need not be. */
export function editCells(row: WaitingRow, edit: Edit): EditCell[] {
  const cells = [...replacedCells(edit), ...partCells(row, edit)];
  return [...new Map(cells.map((cell) => [cell.column, cell])).values()];
}

const replacedCells = (edit: Edit): EditCell[] =>
  (Object.keys(WRITERS) as ReplacedField[]).flatMap((field) => {
    const value = edit[field];
    return value === undefined ? [] : (WRITERS[field] as (given: unknown) => EditCell[])(value);
  });

function partCells(row: WaitingRow, edit: Edit): EditCell[] {
  const job = {
    ...row,
    outcomeRules: rulesOf(row.rulesText),
    hooks: hooksIn(row.hooksText),
    confinement: confinementOf(row.confinementText),
  };
  const { outcomeRules, hooks, confinement } = partsAfter(job, edit);
  return [
    ...(outcomeRules === undefined ? [] : text('outcome_rules')(rulesText(outcomeRules))),
    ...(hooks === undefined ? [] : text('hooks')(hooksText(hooks))),
    ...(confinement === undefined ? [] : text('confinement')(confinementText(confinement))),
    ...(edit.confinement?.limits?.memoryBytes == null ? [] : GATED),
  ];
}
