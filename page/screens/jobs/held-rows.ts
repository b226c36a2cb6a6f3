// Rows that stay where they are while the mouse moves over them: a click must not hit another job than the one it was aimed
// at. States and times go on meanwhile; rows come and go when the mouse rests or leaves.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '../../core/types.ts';

const HELD_MS = 2000;

export function useHeldRows(newest: readonly Job[]) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef(newest);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  shown.current = isHeld && isOfOnePage(shown.current, newest) ? inPlace(shown.current, newest) : newest;
  const release = (): void => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  const hold = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(release, HELD_MS);
    setHeld(true);
  };
  return { jobs: shown.current, onMouseMove: hold, onMouseLeave: release };
}

/** Another search or page has other jobs, and is not held back. */
const isOfOnePage = (before: readonly Job[], after: readonly Job[]): boolean =>
  after.some(({ id }) => before.some((job) => job.id === id));

const inPlace = (before: readonly Job[], after: readonly Job[]): readonly Job[] =>
  before.map((job) => after.find(({ id }) => id === job.id) ?? job);
