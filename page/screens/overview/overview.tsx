// The state of all queues at a glance: job counts, problems, workers and the latest failures.

import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Figures } from '../../components/figures.tsx';
import { Screen } from '../../components/screen.tsx';
import { navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { loadStats, stats, statsProblem } from '../../core/stats.ts';
import { type JobState, STATES, type Stats } from '../../core/types.ts';
import { Attention } from './attention.tsx';
import { Charts } from './charts.tsx';
import { LatestFailures } from './latest-failures.tsx';
import { QueueTable } from './queue-table.tsx';
import { WorkerTable } from './worker-table.tsx';
import { now } from '../../core/clock.ts';
import { age, count, relative } from '../../core/format.ts';

export function Overview() {
  const now = stats.value;
  return <Screen title="Overview">{now ? <Filled stats={now} /> : <Unfilled />}</Screen>;
}

const Unfilled = () =>
  statsProblem.value ? <Problem error={statsProblem.value} onRetry={() => void loadStats()} /> : <Loading rows={8} />;

function Filled({ stats }: { stats: Stats }) {
  const isEmpty = STATES.every((state) => stats[state] === 0) && stats.active_workers === 0;
  if (isEmpty) {
    return (
      <>
        <Empty title="No jobs yet" command="queuectl enqueue 'echo hello'">
          A job is a command that a worker runs, and retries if it fails. Enqueue one here or on the command line, then
          start a worker: queuectl worker start
        </Empty>
        {may('enqueuer') && (
          <Button kind="primary" icon="plus" onPress={() => navigate('/jobs?new=1')}>
            New job
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      <Figures counts={stats} notesOf={(state) => notesOf(state, stats)} />
      <Attention stats={stats} />
      <Charts />
      <div class="columns">
        <QueueTable stats={stats} />
        <WorkerTable stats={stats} />
      </div>
      <LatestFailures />
    </>
  );
}

function notesOf(state: JobState, stats: Stats): string[] {
  const { oldest_pending_seconds: oldest, held, workers, active_workers, next_retry_at } = stats;
  switch (state) {
    case 'pending':
      return [
        ...(oldest === null ? [] : [`oldest: ${age(oldest * 1000)}`]),
        ...(held > 0 ? [`${count(held)} held in total`] : []),
      ];
    case 'processing':
      return [`${workers.busy} of ${active_workers} workers busy`];
    case 'failed':
      return next_retry_at === null ? [] : [`next retry ${soon(next_retry_at)}`];
    default:
      return [];
  }
}

const soon = (at: string): string => relative(Math.max(Date.parse(at), now.value), now.value);
