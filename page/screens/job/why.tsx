// Why the job is not running or why it failed, with hints.

import { Hint } from '../../components/copy.tsx';
import { sentence } from '../../core/sentence.ts';
import { shown } from '../../core/format.ts';
import { StateShape } from '../../components/state.tsx';
import { Ago } from '../../components/time.tsx';
import type { JobDetails } from '../../core/types.ts';

export function Why({ job }: { job: JobDetails }) {
  const hasFailed = ['failed', 'dead', 'cancelled'].includes(job.state);
  const error = hasFailed ? job.last_error : null;
  if (!error && job.waiting_reasons.length === 0 && job.state !== 'failed') return null;
  return (
    <section class="why" data-state={job.state} aria-label="why the job is not running">
      <StateShape state={job.state} />
      <ul>
        {error && <li class="why-error">{shown(sentence(error))}</li>}
        {isRejected(job) && (
          <li>
            <a class="link" href={job.recipe === null ? '/policy' : '/recipes'}>
              {job.recipe === null ? 'View the policy' : 'View the recipes'}
            </a>
          </li>
        )}
        {job.state === 'failed' && job.next_run_at && (
          <li>
            Automatic retry {job.attempts} of {job.max_retries}: <Ago at={job.next_run_at} />.
          </li>
        )}
        {job.waiting_reasons.map((wait) => (
          <li key={wait.reason}>
            {sentence(wait.message.replace('next_run_at', 'later'))}
            {wait.until && ' · '}
            <Ago at={wait.until} />
            {wait.hint && <Hint hint={wait.hint} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

const isRejected = ({ state, history }: JobDetails): boolean =>
  state === 'dead' && history.at(-1)?.outcome === 'rejected';
