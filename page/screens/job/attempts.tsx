// Attempts with bars on a common scale: the waiting time, the run time and the result.

import { sizeText } from '../../../src/text/size.ts';
import { Section } from '../../components/screen.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import { now } from '../../core/clock.ts';
import { duration, shown } from '../../core/format.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import type { Attempt, JobDetails } from '../../core/types.ts';

export function Attempts({ job }: { job: JobDetails }) {
  if (job.history.length === 0) return null;
  const spans = spansOf(job, now.value);
  return (
    <Section title="Attempts" note={<Legend hasBackoff={spans.length > 1} />}>
      <Table
        name="attempts"
        columns={columnsFor(job, longestOf(spans))}
        rows={spans}
        keyOf={({ attempt }) => String(attempt.number)}
        narrow="scroll"
        isMarked={({ attempt }) => isShown(attempt, job)}
      />
    </Section>
  );
}

const columnsFor = (job: JobDetails, longest: number): readonly (Column<Span> | false)[] => [
  { head: '#', cell: ({ attempt }) => <AttemptButton attempt={attempt} isShown={isShown(attempt, job)} /> },
  { head: 'started', cell: ({ attempt }) => <When at={attempt.started_at} /> },
  { head: 'timeline', name: 'bars', cell: (span) => <Bars span={span} longest={longest} /> },
  { head: 'waited', isRight: true, class: 'nowrap muted', cell: ({ waitedMs }) => duration(waitedMs) },
  { head: 'ran', isRight: true, class: 'nowrap', cell: ({ ranMs }) => duration(ranMs) },
  isUsageKnown(job) && { head: 'used', class: 'nowrap muted', cell: ({ attempt }) => usageOf(attempt) },
  {
    head: 'result',
    class: ({ attempt }) => (isExplained(attempt) ? 'reason' : 'nowrap'),
    cell: ({ attempt }) => shown(endOf(attempt)),
  },
  { head: 'worker', class: 'nowrap muted mono', cell: ({ attempt }) => attempt.worker },
];

const AttemptButton = ({ attempt: { number }, isShown }: { attempt: Attempt; isShown: boolean }) => (
  <button
    type="button"
    class="link"
    title={`output of attempt ${number}`}
    aria-pressed={isShown}
    onClick={() => setQuery({ attempt: String(number) })}
  >
    {number}
  </button>
);

function Bars({ span: { attempt, kind, waitedMs, ranMs }, longest }: { span: Span; longest: number }) {
  const share = (ms: number): string => `${(ms / longest) * 100}%`;
  return (
    <div class="bars" aria-hidden="true">
      <span class={`bar-part ${kind}`} style={{ width: share(waitedMs) }} />
      <span class="bar-part ran" data-outcome={outcomeOf(attempt)} style={{ width: share(ranMs) }} />
    </div>
  );
}

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

/** Returns '12 MiB · 0.3 s CPU' without the unknown values. */
function usageOf({ peak_memory_bytes: peak, cpu_user_ms: user, cpu_system_ms: system }: Attempt): string {
  const cpu = user === null && system === null ? null : (user ?? 0) + (system ?? 0);
  return [...(peak === null ? [] : [sizeText(peak)]), ...(cpu === null ? [] : [`${duration(cpu)} CPU`])].join(' · ');
}

const outcomeOf = ({ ended_at, exit_code, outcome }: Attempt): string => {
  if (ended_at === null) return 'running';
  return exit_code === 0 || outcome === 'completed' || outcome === 'succeeded' ? 'good' : 'bad';
};

/** Outcomes whose error explains more than an exit code or a signal. */
const EXPLAINED = ['limit', 'rejected', 'not_started'];

const isExplained = ({ outcome, error }: Attempt): boolean => error !== null && EXPLAINED.includes(outcome ?? '');

const endOf = (attempt: Attempt): string => {
  const { ended_at, outcome, exit_code, signal, error } = attempt;
  if (ended_at === null) return 'running';
  if (isExplained(attempt)) return error ?? '';
  if (signal !== null) return `${outcome ?? 'terminated'} by ${signal}`;
  return exit_code === null ? (outcome ?? '') : `exit code ${exit_code}`;
};

interface Span {
  readonly attempt: Attempt;
  /** `waiting` before the first attempt, `backoff` before the others. */
  readonly kind: 'waiting' | 'backoff';
  readonly waitedMs: number;
  readonly ranMs: number;
}

function spansOf(job: Pick<JobDetails, 'created_at' | 'run_at' | 'history'>, now: number): Span[] {
  return job.history.map((attempt, i) => {
    const before = job.history[i - 1]?.ended_at;
    const readyAt = before ? Date.parse(before) : firstDue(job);
    const startedAt = Date.parse(attempt.started_at);
    const endedAt = attempt.ended_at ? Date.parse(attempt.ended_at) : now;
    return {
      attempt,
      kind: before ? 'backoff' : 'waiting',
      waitedMs: Math.max(0, startedAt - readyAt),
      ranMs: attempt.duration_ms ?? Math.max(0, endedAt - startedAt),
    };
  });
}

/** Waiting starts at the requested time, not at enqueue. */
const firstDue = ({ created_at, run_at }: Pick<JobDetails, 'created_at' | 'run_at'>): number =>
  Math.max(Date.parse(created_at), run_at ? Date.parse(run_at) : 0);

const longestOf = (spans: readonly Span[]): number =>
  Math.max(1, ...spans.map(({ waitedMs, ranMs }) => waitedMs + ranMs));
