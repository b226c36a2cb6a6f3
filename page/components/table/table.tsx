// The table of every screen. Columns are data: how a cell looks, how wide it is, and where it goes on a narrow screen.

import { type ComponentChildren, Fragment } from 'preact';
import { Loading } from '../feedback.tsx';
import { useHeldRows } from './held-rows.ts';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<T> {
  /** The heading, and the label of the value on a card. */
  readonly head: string;
  readonly isHeadHidden?: boolean;
  readonly cell: (row: T) => ComponentChildren;
  /** Further classes of a cell. */
  readonly class?: string | ((row: T) => string);
  /** Gives the heading and the cells the class `cell-NAME`, and the cells the grid area NAME, for style sheets. */
  readonly name?: string;
  readonly isRight?: boolean;
  /** `fit`: as wide as the content. `rest`: takes the remaining width and truncates the content. */
  readonly width?: 'fit' | 'rest';
  /** Role on a card: its title, text without a label, or a button in its corner. */
  readonly card?: 'title' | 'text' | 'corner';
  /** Hides the column on screens narrower than a desktop (`medium`) or on phones only (`narrow`). */
  readonly hiddenOn?: 'medium' | 'narrow';
}

export interface Selection<T> {
  readonly isPicked: (row: T) => boolean;
  readonly onPick: (rows: readonly T[], isPicked: boolean) => void;
}

export interface TableProps<T> {
  /** Class of the table. */
  readonly name?: string;
  /** `false` leaves a column out. */
  readonly columns: readonly (Column<T> | false)[];
  /** Undefined while the rows are loading. */
  readonly rows: readonly T[] | undefined;
  readonly keyOf: (row: T) => string;
  /** Layout on phones: one card per row, lines placed by a style sheet, or a table that scrolls sideways. */
  readonly narrow?: 'cards' | 'lines' | 'scroll';
  readonly areHeadsHidden?: boolean;
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChildren;
  /** Rows keep their place under the mouse: for lists whose order changes by itself. */
  readonly isHeld?: boolean;
  /** Adds the keys j, k and Enter under this heading of the key sheet. */
  readonly keys?: { readonly part: string; readonly open: (row: T) => void };
  /** Marks a row; by default the one that the keys reached. */
  readonly isMarked?: (row: T) => boolean;
  /** Rows with the same heading stand below it. */
  readonly headingOf?: (row: T) => string;
  readonly selection?: Selection<T> | false;
}

const NONE: readonly never[] = [];

export function Table<T>(props: TableProps<T>) {
  const { name, rows: newest, keyOf, narrow = 'cards', keys, headingOf, isMarked, empty } = props;
  const selection = props.selection || undefined;
  const { rows, held } = useHeldRows<T>(newest ?? NONE, keyOf);
  const { at, body } = useRowKeys(rows, keys, selection);
  if (!newest) return <Loading rows={3} />;
  if (rows.length === 0 && empty) return <>{empty}</>;
  const columns = props.columns.filter((column) => column !== false);
  const headings = headingOf ? rows.map(headingOf) : [];
  return (
    <div class="table-frame">
      <table class={classes('table', narrow, name)}>
        <thead class={props.areHeadsHidden ? 'out-of-sight' : undefined}>
          <tr>
            {selection && (
              <th scope="col" class="pick">
                <Pick rows={rows} label="select this page" selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.head} column={column} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} {...(props.isHeld && held)}>
          {rows.map((row, i) => (
            <Fragment key={keyOf(row)}>
              {headings[i] !== headings[i - 1] && (
                <tr class="row-heading">
                  <th scope="rowgroup" colSpan={columns.length + (selection ? 1 : 0)}>
                    {headings[i]}
                  </th>
                </tr>
              )}
              <tr
                data-at={(isMarked ? isMarked(row) : i === at) || undefined}
                data-picked={selection?.isPicked(row) || undefined}
              >
                {selection && (
                  <td class="pick" style={{ gridArea: 'pick' }}>
                    <Pick rows={[row]} label={`select ${keyOf(row)}`} selection={selection} />
                  </td>
                )}
                {columns.map((column) => (
                  <Cell key={column.head} column={column} row={row} />
                ))}
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classes = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined;

const sharedClasses = <T,>({ name, isRight, hiddenOn }: Column<T>) =>
  [name && `cell-${name}`, isRight && 'right', hiddenOn && `not-${hiddenOn}`] as const;

const Head = <T,>({ column }: { column: Column<T> }) => (
  <th scope="col" class={classes(...sharedClasses(column))}>
    {column.isHeadHidden ? <span class="out-of-sight">{column.head}</span> : column.head}
  </th>
);

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const { head, isHeadHidden, name, width, card } = column;
  const own = typeof column.class === 'function' ? column.class(row) : column.class;
  const content = column.cell(row);
  return (
    <td
      class={classes(...sharedClasses(column), width && `width-${width}`, card && `card-${card}`, own)}
      style={name && { gridArea: name }}
      data-label={card || isHeadHidden ? undefined : head}
    >
      {width === 'rest' ? <div class="cut">{content}</div> : content}
    </td>
  );
}

interface PickProps<T> {
  /** The rows that the checkbox selects: one row, or all of the page in the heading. */
  readonly rows: readonly T[];
  readonly label: string;
  readonly selection: Selection<T>;
}

const Pick = <T,>({ rows, label, selection }: PickProps<T>) => (
  <input
    type="checkbox"
    aria-label={label}
    checked={rows.every(selection.isPicked)}
    onChange={(event) => selection.onPick(rows, event.currentTarget.checked)}
  />
);
