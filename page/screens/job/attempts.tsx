// The attempts as bars on one scale: how long the job waited, then how long it ran, and how that ended.

import { sizeText } from '../../../src/text/size.ts';
import { Section } from '../../components/screen.tsx';
import { When } from '../../components/time.tsx';
import { now } from '../../core/clock.ts';
import { duration, shown } from '../../core/format.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import type { Attempt, JobDetails } from '../../core/types.ts';
import { longestOf, type Span, spansOf } from './attempt-times.ts';

export function Attempts({ job }: { job: JobDetails }) {
  if (job.history.length === 0) return null;
  const spans = spansOf(job, now.value);
  const longest = longestOf(spans);
  return (
    <Section title="Attempts" note={<Legend hasBackoff={spans.length > 1} />}>
      <div class="table-frame">
        <table class="table attempts">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">started</th>
              <th scope="col" class="bars-head">
                waited and ran
              </th>
              <th scope="col" class="right">
                waited
              </th>
              <th scope="col" class="right">
                ran
              </th>
              {isUsageKnown(job) && <th scope="col">used</th>}
              <th scope="col">ended</th>
              <th scope="col">worker</th>
            </tr>
          </thead>
          <tbody>
            {spans.map((span) => (
              <Row
                key={span.attempt.number}
                span={span}
                longest={longest}
                isShown={isShown(span.attempt, job)}
                hasUsage={isUsageKnown(job)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** The attempt whose output is below. */
export function isShown({ number }: Attempt, { history }: JobDetails): boolean {
  const asked = Number(queryOf('attempt')) || (history.at(-1)?.number ?? 0);
  return number === asked;
}

const Legend = ({ hasBackoff }: { hasBackoff: boolean }) => (
  <span class="legend">
    <span class="key waiting" /> waiting
    {hasBackoff && (
      <>
        <span class="key backoff" /> backoff
      </>
    )}
    <span class="key ran" /> running
  </span>
);

const isUsageKnown = ({ history }: JobDetails): boolean => history.some((one) => usageOf(one) !== '');

/** '12 MiB · 0.3 s CPU', or what of it is known. */
function usageOf({ peak_memory_bytes: peak, cpu_user_ms: user, cpu_system_ms: system }: Attempt): string {
  const cpu = user === null && system === null ? null : (user ?? 0) + (system ?? 0);
  return [...(peak === null ? [] : [sizeText(peak)]), ...(cpu === null ? [] : [`${duration(cpu)} CPU`])].join(
    ' · ',
  );
}

interface RowProps {
  readonly span: Span;
  readonly longest: number;
  readonly isShown: boolean;
  readonly hasUsage: boolean;
}

function Row({ span, longest, isShown, hasUsage }: RowProps) {
  const { attempt, kind, waitedMs, ranMs } = span;
  const share = (ms: number): string => `${(ms / longest) * 100}%`;
  return (
    <tr data-at={isShown}>
      <td>
        <button
          type="button"
          class="link"
          title={`output of attempt ${attempt.number}`}
          aria-pressed={isShown}
          onClick={() => setQuery({ attempt: String(attempt.number) })}
        >
          {attempt.number}
        </button>
      </td>
      <td>
        <When at={attempt.started_at} />
      </td>
      <td class="bars-cell" aria-hidden="true">
        <div class="bars">
          <span class={`bar-part ${kind}`} style={{ width: share(waitedMs) }} />
          <span class="bar-part ran" data-outcome={outcomeOf(attempt)} style={{ width: share(ranMs) }} />
        </div>
      </td>
      <td class="right nowrap muted">{duration(waitedMs)}</td>
      <td class="right nowrap">{duration(ranMs)}</td>
      {hasUsage && <td class="nowrap muted">{usageOf(attempt)}</td>}
      <td class={isExplained(attempt) ? 'reason' : 'nowrap'}>{shown(endOf(attempt))}</td>
      <td class="nowrap muted mono">{attempt.worker}</td>
    </tr>
  );
}

const outcomeOf = ({ ended_at, exit_code, outcome }: Attempt): string => {
  if (ended_at === null) return 'running';
  return exit_code === 0 || outcome === 'completed' || outcome === 'succeeded' ? 'good' : 'bad';
};

/** Ended by a limit or the policy, or not even begun: the reason says more than any code or signal. */
const EXPLAINED = ['limit', 'refused', 'not_started'];

const isExplained = ({ outcome, error }: Attempt): boolean =>
  error !== null && EXPLAINED.includes(outcome ?? '');

const endOf = (attempt: Attempt): string => {
  const { ended_at, outcome, exit_code, signal, error } = attempt;
  if (ended_at === null) return 'running';
  if (isExplained(attempt)) return error ?? '';
  if (signal !== null) return `${outcome ?? 'ended'} by ${signal}`;
  return exit_code === null ? (outcome ?? '') : `exit code ${exit_code}`;
};
