// Rows that one walks through by j and k and opens by Enter, the same in every list.

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../../core/keys.ts';

export interface Rows {
  /** Which row the keys are at; -1: none yet. */
  readonly at: number;
  /** Of the element whose children the rows are. */
  readonly body: RefObject<HTMLTableSectionElement | null>;
}

export function useRows<T>(rows: readonly T[], part: string, open: (row: T) => void): Rows {
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const latest = useRef({ rows, at, open });
  latest.current = { rows, at, open };
  const step = (by: number): void => {
    const { rows, at } = latest.current;
    setAt(Math.max(0, Math.min(at + by, rows.length - 1)));
  };
  const openRow = (event: KeyboardEvent): void => {
    const { rows, at, open } = latest.current;
    const row = rows[at];
    const own = pressedElement(event);
    if (own) own.click();
    else if (row !== undefined) open(row);
  };
  useEffect(() => body.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  useKeys([
    { keys: 'j', does: 'next row', part, run: () => step(1) },
    { keys: 'k', does: 'row before', part, run: () => step(-1) },
    { keys: 'Enter', does: 'open it', part, run: openRow },
  ]);
  return { at, body };
}

/** Enter on a link or a button is meant for that. */
const pressedElement = ({ target }: KeyboardEvent): HTMLElement | null =>
  (target as Element | null)?.closest?.<HTMLElement>('a, button, summary') ?? null;
