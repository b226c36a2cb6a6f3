// Where a page of jobs ends and the next one begins, as SQL that both dialects understand.

import { sortColumn } from './job-sql.ts';
import type { Row } from '../rows/rows.ts';
import type { PageEnd, PageQuery } from '../store.ts';

type Ordered = Pick<PageQuery, 'sort' | 'descending'>;

/** Of the last job of a page. */
export function endOf(row: Row, { sort }: Ordered): PageEnd {
  const value = sort === 'created' ? null : row[sortColumn(sort).slice('j.'.length)];
  return { value: value == null ? null : Number(value), seq: Number(row.seq) };
}

/** The jobs behind `after` in an order by a column, in which jobs without a value come last and equals as they came in. */
export function behind({ sort, descending }: Ordered, after: PageEnd, number: (n: number) => string): string {
  const column = sortColumn(sort);
  if (after.value === null) return `${column} IS NULL AND j.seq > ${number(after.seq)}`;
  const further = `${column} ${descending ? '<' : '>'} ${number(after.value)}`;
  const equal = `${column} = ${number(after.value)} AND j.seq > ${number(after.seq)}`;
  return `(${further} OR (${equal}) OR ${column} IS NULL)`;
}
