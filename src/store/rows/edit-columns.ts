// The columns that an edit writes, except the start time, which src/job decides.

import type { Cell, ColumnType } from '../../job/fields/field.ts';
import { type AnyField, type FieldName, FIELDS } from '../../job/fields/fields.ts';
import { type Edit, type Edited, partsAfter } from '../../job/input/edit.ts';
import { confinementOf } from '../../job/isolation/isolation.ts';
import { hooksIn } from '../../job/flow/hooks.ts';
import type { NewJob } from '../../job/job.ts';
import { rulesOf } from '../../job/outcome-rules.ts';
import type { Waiting } from '../../job/waiting-change.ts';

export interface EditCell {
  readonly column: string;
  readonly type: ColumnType;
  readonly value: Cell;
}

const cellsOf = (field: FieldName, job: Partial<NewJob>): EditCell[] =>
  Object.entries((FIELDS[field] as AnyField).stored?.columns ?? {}).map(([column, { type, write }]) => ({
    column,
    type,
    value: write(job as NewJob),
  }));

/**
 * Marks jobs that a claim must check against limits. The mark is never removed, because a job without a key may have a
 * group.
 */
const GATED: EditCell = { column: 'gated', type: 'smallint', value: 1 };

const isGated = ({ key, weight, confinement }: Edit): boolean =>
  key != null || (weight ?? 1) > 1 || confinement?.limits?.memoryBytes != null;

/** A waiting job, read with WAITING_COLUMNS. */
export interface WaitingRow extends Waiting, Pick<Edited, 'id' | 'timeoutSeconds' | 'hookOf'> {
  readonly seq: number;
  readonly rulesText: string | null;
  readonly hooksText: string | null;
  readonly confinementText: string | null;
}

/**
 * Columns of waiting jobs under the names of their fields. Quoted, because PostgreSQL would convert the names to lower
 * case.
 */
export const WAITING_COLUMNS = `seq, id, state, run_at AS "runAt", next_run_at AS "nextRunAt", held, snoozes,
  timeout_seconds AS "timeoutSeconds", hook_of AS "hookOf", outcome_rules AS "rulesText", hooks AS "hooksText", confinement AS "confinementText"`;

/** All jobs get the same columns, but not necessarily the same values. */
export function editCells(row: WaitingRow, edit: Edit): EditCell[] {
  return [...replacedCells(edit), ...partCells(row, edit), ...(isGated(edit) ? [GATED] : [])];
}

/** src/job decides the start time. */
const replacedCells = ({ runAt: _, ...edit }: Edit): EditCell[] =>
  (Object.keys(edit) as (keyof typeof edit)[])
    .filter((field) => edit[field] !== undefined && !PARTS.has(field))
    .flatMap((field) => cellsOf(field as FieldName, edit as Partial<NewJob>));

/** An edit changes only a part of these fields. */
const PARTS: ReadonlySet<string> = new Set<keyof Edit>(['outcome', 'hooks', 'confinement']);

function partCells(row: WaitingRow, edit: Edit): EditCell[] {
  const job = {
    ...row,
    outcomeRules: rulesOf(row.rulesText),
    hooks: hooksIn(row.hooksText),
    confinement: confinementOf(row.confinementText),
  };
  const after = partsAfter(job, edit);
  return (Object.keys(after) as (keyof typeof after)[]).flatMap((field) => cellsOf(field, after));
}
