// Rows that keep their place while the mouse is over them, so that a click hits the intended row. Their cells stay up
// to date. Rows appear and disappear when the mouse leaves, or after a change by the user.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ownChanges } from '../../core/resource.ts';

/** True while newer rows are held back; the page shows a note. */
export const isBehind = signal(false);

interface HeldRows<T> {
  readonly rows: readonly T[];
  /** Props of the parent element of the rows. */
  readonly held: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
  };
}

export function useHeldRows<T>(newest: readonly T[], keyOf: (row: T) => string): HeldRows<T> {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef({ rows: newest, newest, own: ownChanges.value });
  const before = shown.current;
  const isOwn = before.newest !== newest && before.own !== ownChanges.value;
  const rows =
    isHeld && !isOwn && isOfOnePage(before.rows, newest, keyOf) ? inPlace(before.rows, newest, keyOf) : newest;
  shown.current = { rows, newest, own: before.newest === newest ? before.own : ownChanges.value };
  const isLate = rows.map(keyOf).join(' ') !== newest.map(keyOf).join(' ');
  useEffect(() => {
    isBehind.value = isLate;
    return () => {
      isBehind.value = false;
    };
  }, [isLate]);
  return {
    rows,
    held: {
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && setHeld(true),
      onPointerLeave: () => setHeld(false),
    },
  };
}

/** Rows of another search or page are never held back. */
const isOfOnePage = <T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): boolean => {
  const keys = new Set(before.map(keyOf));
  return after.some((row) => keys.has(keyOf(row)));
};

function inPlace<T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const latest = new Map(after.map((row) => [keyOf(row), row]));
  return before.map((row) => latest.get(keyOf(row)) ?? row);
}
