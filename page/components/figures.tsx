// Job counts by state, each a link to the jobs.

import { count } from '../core/format.ts';
import { hrefOf } from '../core/router.ts';
import { type JobState, type StateCounts, STATES } from '../core/types.ts';
import { StateShape } from './state.tsx';

interface Props {
  readonly counts: StateCounts;
  /** The filter of the counted jobs, which comes before the state. */
  readonly filter?: string;
  /** Additional lines below a count. */
  readonly notesOf?: (state: JobState) => readonly string[];
}

export const Figures = ({ counts, filter = '', notesOf = () => [] }: Props) => (
  <section class="figures" aria-label="jobs by state">
    {STATES.map((state) => (
      <a key={state} class="figure" href={hrefOf('/jobs', { filter: `${filter} state:${state}`.trim() })}>
        <span class="state" data-state={state}>
          <StateShape state={state} />
          {state}
        </span>
        <span class="figure-number">{count(counts[state])}</span>
        {notesOf(state).map((note) => (
          <span key={note} class="figure-note cut">
            {note}
          </span>
        ))}
      </a>
    ))}
  </section>
);
