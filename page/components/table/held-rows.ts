// Rows that stay where they are while the mouse is over them: a click must not hit another row than the one it was aimed at.
// Their states and times go on meanwhile. Rows come and go when the mouse leaves, or after a change that the user made.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ownChanges } from '../../core/resource.ts';

/** Whether the rows under the mouse are not the newest: the page shows that. */
export const isBehind = signal(false);

export interface HeldRows<T> {
  readonly rows: readonly T[];
  /** For the element that has the rows as its children. */
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
    isHeld && !isOwn && isOfOnePage(before.rows, newest, keyOf)
      ? inPlace(before.rows, newest, keyOf)
      : newest;
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

/** Another search or page has other rows, and is not held back. */
const isOfOnePage = <T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): boolean => {
  const keys = new Set(before.map(keyOf));
  return after.some((row) => keys.has(keyOf(row)));
};

function inPlace<T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const latest = new Map(after.map((row) => [keyOf(row), row]));
  return before.map((row) => latest.get(keyOf(row)) ?? row);
}
