// Tables that fit the terminal: some columns are cut, some left out, but never IDs. When piped, nothing is cut.

import type { Screen } from '../../terminal.ts';
import type { Style } from './style.ts';
import { cut, visibleWidth, words } from './text.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Cells are cut if the terminal is narrow, those of the widest column first. */
  readonly gives?: boolean;
  /** Cells are wrapped instead of cut. */
  readonly wraps?: boolean;
  /** The minimum width of a column that is cut or wrapped. */
  readonly least?: number;
  /** The column may be left out if cutting is not enough; the highest number first. */
  readonly spare?: number;
}

/** A column of a table of items. */
export interface ItemColumn<T> extends Column {
  readonly cell: (item: T) => string;
}

type Rows = readonly (readonly string[])[];

const GAP = '  ';
const NARROWEST = 12;

/** The columns to draw and their widths. Also used for rows that are read later. */
export interface Layout {
  readonly columns: readonly Column[];
  /** The index of each column's cell in a row. */
  readonly cells: readonly number[];
  readonly widths: readonly number[];
  /** Whether wide cells are cut, as on a terminal. */
  readonly isCut: boolean;
}

/** With a style, the titles are dimmed. Without rows, the text is empty. */
export function table(columns: readonly Column[], rows: Rows, width: number | null, style?: Style): string {
  if (rows.length === 0) return '';
  const layout = layoutFor(columns, rows, width);
  return [headOf(layout, style), ...rows.map((row) => rowOf(layout, row))].join('\n');
}

/** A table with a row for each item. Without items, the text is empty. */
export const tableOf = <T>(items: readonly T[], columns: readonly ItemColumn<T>[], { width, style }: Screen): string =>
  table(
    columns,
    items.map((item) => columns.map(({ cell }) => cell(item))),
    width,
    style,
  );

export function layoutFor(columns: readonly Column[], rows: Rows, width: number | null): Layout {
  const all = columns.map((column, i) => ({ column, cell: i, width: widthFor(column, rows, i, width) }));
  const shown = width === null ? all : thoseThatFit(all, width);
  const widths = shown.map((each) => each.width);
  const kept = shown.map(({ column }) => column);
  if (width !== null) squeeze(kept, widths, width);
  return { columns: kept, cells: shown.map(({ cell }) => cell), widths, isCut: width !== null };
}

export function headOf({ columns, widths, isCut }: Layout, style?: Style): string {
  const titles = columns.map(({ title }) => title);
  const head = line(columns, titles, widths, isCut);
  return style ? style.dim(head) : head;
}

export const rowOf = ({ columns, cells, widths, isCut }: Layout, row: readonly string[]): string =>
  line(
    columns,
    cells.map((cell) => row[cell] ?? ''),
    widths,
    isCut,
  );

/** When piped, a very long cell does not widen its column. */
const PADS_AT_MOST = 100;

function widthFor({ title }: Column, rows: Rows, index: number, width: number | null): number {
  const most = width === null ? PADS_AT_MOST : Number.POSITIVE_INFINITY;
  return Math.max(visibleWidth(title), widest(rows, index, most));
}

interface Placed {
  readonly column: Column;
  readonly cell: number;
  readonly width: number;
}

function thoseThatFit(all: readonly Placed[], width: number): readonly Placed[] {
  const left = leftOut(
    all.map(({ column }) => column),
    all.map((each) => each.width),
    width,
  );
  return left === null ? all : thoseThatFit(without(all, left), width);
}

/** Ignores cells wider than `most`. A loop, because there may be more rows than a call may have arguments. */
function widest(rows: Rows, column: number, most: number): number {
  let width = 0;
  for (const row of rows) {
    const own = visibleWidth(row[column] ?? '');
    if (own <= most && own > width) width = own;
  }
  return width;
}

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, i) => i !== index);

const isSoft = (column: Column): boolean => column.gives === true || column.wraps === true;

const leastOf = (column: Column, width: number): number =>
  isSoft(column) ? Math.min(width, column.least ?? NARROWEST) : width;

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

/** Returns the column to leave out, or null if all fit or none can be left out. */
function leftOut(columns: readonly Column[], widths: readonly number[], width: number): number | null {
  const least = columns.map((column, i) => leastOf(column, widths[i] ?? 0));
  if (total(least) <= width) return null;
  const highest = Math.max(...columns.map(({ spare }) => spare ?? 0));
  return highest === 0 ? null : columns.findIndex(({ spare }) => spare === highest);
}

/** Repeatedly narrows the widest column by one. */
function squeeze(columns: readonly Column[], widths: number[], width: number): void {
  for (let over = total(widths) - width; over > 0; over--) {
    const room = columns.map((column, i) => {
      const own = widths[i] ?? 0;
      return own > leastOf(column, own) ? own : 0;
    });
    const most = Math.max(...room);
    if (most === 0) return;
    widths[room.indexOf(most)] = most - 1;
  }
}

/** Formats one row, which may have several lines. */
function line(columns: readonly Column[], row: readonly string[], widths: readonly number[], isCut: boolean): string {
  const cells = columns.map(({ wraps }, i) =>
    isCut ? fit(row[i] ?? '', widths[i] ?? 0, wraps === true) : [row[i] ?? ''],
  );
  const height = Math.max(...cells.map((lines) => lines.length));
  const lines = Array.from({ length: height }, (_, at) =>
    columns
      .map(({ align }, i) => padded(cells[i]?.[at] ?? '', widths[i] ?? 0, align))
      .join(GAP)
      .trimEnd(),
  );
  return lines.join('\n');
}

const fit = (text: string, width: number, wraps: boolean): string[] =>
  wraps && visibleWidth(text) > width ? words(text, width) : [cut(text, width)];

function padded(text: string, width: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, width - visibleWidth(text)));
  return align === 'right' ? space + text : text + space;
}
