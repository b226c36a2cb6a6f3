// The progress of a group as a bar of job states, and the estimated time left.

import { now } from '../../core/clock.ts';
import { age, count } from '../../core/format.ts';
import { type Group, type JobState, STATES } from '../../core/types.ts';

/** Finished states first. */
const ORDER: readonly JobState[] = ['completed', 'cancelled', 'dead', 'failed', 'processing', 'pending', 'blocked'];

export function GroupProgress({ group }: { group: Group }) {
  const label = STATES.filter((state) => group[state] > 0).map((state) => `${count(group[state])} ${state}`);
  return (
    <div class="group-progress">
      <div class="state-bar" role="img" aria-label={label.join(', ')} title={label.join(', ')}>
        {ORDER.filter((state) => group[state] > 0).map((state) => (
          <span key={state} data-state={state} style={{ flexGrow: group[state] }} />
        ))}
      </div>
      <span class="nowrap small">
        {count(group.ended)} of {count(group.total)}
      </span>
    </div>
  );
}

/** Extrapolates the average so far; unknown until a job has finished. */
export function TimeLeft({ group }: { group: Group }) {
  if (group.outcome !== null) return <span>{group.outcome}</span>;
  if (group.ended === 0) return <span>unknown</span>;
  const perJob = (now.value - Date.parse(group.created_at)) / group.ended;
  return <span>about {age(perJob * (group.total - group.ended))}</span>;
}
