// The state of a job as a shape, a word and a colour: each alone is enough to tell states apart.

import type { JobState } from '../core/types.ts';

/** Drawn on a grid of 12. */
function shapeOf(state: JobState) {
  switch (state) {
    case 'pending':
      return <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.6" />;
    case 'blocked':
      return (
        <rect
          x="2.2"
          y="2.2"
          width="7.6"
          height="7.6"
          rx="1"
          fill="none"
          stroke="currentColor"
          stroke-width="1.6"
        />
      );
    case 'processing':
      return (
        <g>
          <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.6" opacity=".35" />
          <path
            class="spin"
            d="M6 2a4 4 0 0 1 4 4"
            fill="none"
            stroke="currentColor"
            stroke-width="1.8"
            stroke-linecap="round"
          />
        </g>
      );
    case 'failed':
      return (
        <path
          d="M6 1.6 11 10.4H1z"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          stroke-linejoin="round"
        />
      );
    case 'dead':
      return (
        <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" />
      );
    case 'completed':
      return (
        <path
          d="M2 6.3l2.700 2.7L10 3.300"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      );
    case 'cancelled':
      return <path d="M2 6h8" stroke="currentColor" stroke-width="2" stroke-linecap="round" />;
  }
}

export const StateShape = ({ state }: { state: JobState }) => (
  <svg class="state-shape" width="12" height="12" viewBox="0 0 12 12" data-state={state} aria-hidden="true">
    {shapeOf(state)}
  </svg>
);

export function State({ state, note }: { state: JobState; note?: string | null }) {
  return (
    <span class="state" data-state={state}>
      <StateShape state={state} />
      <span>{state}</span>
      {note && <span class="state-note">{note}</span>}
    </span>
  );
}
