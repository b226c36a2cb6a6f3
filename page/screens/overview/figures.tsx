// Job counts by state, each a link to the jobs.

import { StateShape } from '../../components/state.tsx';
import { now } from '../../core/clock.ts';
import { age, count, relative } from '../../core/format.ts';
import { hrefOf } from '../../core/router.ts';
import { type JobState, STATES, type Stats } from '../../core/types.ts';

export const Figures = ({ stats }: { stats: Stats }) => (
  <section class="figures" aria-label="jobs by state">
    {STATES.map((state) => (
      <a key={state} class="figure" href={hrefOf('/jobs', { filter: `state:${state}` })}>
        <span class="state" data-state={state}>
          <StateShape state={state} />
          {state}
        </span>
        <span class="figure-number">{count(stats[state])}</span>
        {notesOf(state, stats).map((note) => (
          <span key={note} class="figure-note cut">
            {note}
          </span>
        ))}
      </a>
    ))}
  </section>
);

/** Additional lines below the count. */
function notesOf(state: JobState, stats: Stats): string[] {
  switch (state) {
    case 'pending':
      return [
        ...(stats.oldest_pending_seconds === null
          ? []
          : [`oldest: ${age(stats.oldest_pending_seconds * 1000)}`]),
        ...(stats.held > 0 ? [`${count(stats.held)} held in total`] : []),
      ];
    case 'processing':
      return [`${stats.workers.busy} of ${stats.active_workers} workers busy`];
    case 'failed':
      return stats.next_retry_at === null ? [] : [`next retry ${soon(stats.next_retry_at)}`];
    default:
      return [];
  }
}

const soon = (at: string): string => relative(Math.max(Date.parse(at), now.value), now.value);
