// Keys for the rows of a table: j and k walk through them, Enter opens one, x selects one.

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../../core/keys.ts';
import type { Selection, TableProps } from './table.tsx';

interface RowKeys {
  /** The row that the keys reached; -1 before the first key. */
  readonly at: number;
  readonly body: RefObject<HTMLTableSectionElement | null>;
}

export function useRowKeys<T>(
  rows: readonly T[],
  keys: TableProps<T>['keys'],
  selection: Selection<T> | undefined,
): RowKeys {
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const row = rows[at];
  const step = (by: number) => (): void => setAt((before) => Math.max(0, Math.min(before + by, rows.length - 1)));
  const open = (event: KeyboardEvent): void => {
    const own = pressedElement(event);
    if (own) own.click();
    else if (row !== undefined) keys?.open(row);
  };
  const select = (): void => {
    if (row !== undefined) selection?.onPick([row], !selection.isPicked(row));
  };
  useEffect(() => {
    if (at >= 0) body.current?.querySelector('[data-at]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const part = keys?.part ?? '';
  const all = [
    { keys: 'j', does: 'next row', part, run: step(1) },
    { keys: 'k', does: 'previous row', part, run: step(-1) },
    { keys: 'Enter', does: 'open', part, run: open },
    ...(selection ? [{ keys: 'x', does: 'select', part, run: select }] : []),
  ];
  useKeys(keys ? all : []);
  return { at, body };
}

/** Enter on a link or a button belongs to that element. */
const pressedElement = ({ target }: KeyboardEvent): HTMLElement | null =>
  (target as Element | null)?.closest?.<HTMLElement>('a, button, summary') ?? null;
