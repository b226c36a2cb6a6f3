// The state of a job as a shape, a word and a colour: each alone is enough to tell states apart.

import type { JobState } from '../core/types.ts';

/** Paths on a grid of 12, with the width of their lines. */
const SHAPES: Readonly<Record<JobState, readonly [path: string, width: number]>> = {
  pending: ['M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8z', 1.6],
  blocked: ['M3.2 2.2h5.6a1 1 0 0 1 1 1v5.6a1 1 0 0 1-1 1H3.2a1 1 0 0 1-1-1V3.2a1 1 0 0 1 1-1z', 1.6],
  processing: ['M6 2a4 4 0 0 1 4 4', 1.8],
  failed: ['M6 1.6 11 10.4H1z', 1.5],
  dead: ['M2.5 2.5l7 7M9.5 2.5l-7 7', 2.2],
  completed: ['M2 6.3l2.7 2.7L10 3.3', 2],
  cancelled: ['M2 6h8', 2],
};

export function StateShape({ state }: { state: JobState }) {
  const [path, width] = SHAPES[state];
  const isRunning = state === 'processing';
  return (
    <svg
      class="state-shape"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      stroke-linecap="round"
      stroke-linejoin="round"
      data-state={state}
      aria-hidden="true"
    >
      {isRunning && <path d={SHAPES.pending[0]} stroke-width={SHAPES.pending[1]} opacity=".35" />}
      <path class={isRunning ? 'spin' : undefined} d={path} stroke-width={width} />
    </svg>
  );
}

export function State({ state, note }: { state: JobState; note?: string | null }) {
  return (
    <span class="state" data-state={state}>
      <StateShape state={state} />
      <span>{state}</span>
      {note && <span class="state-note">{note}</span>}
    </span>
  );
}
