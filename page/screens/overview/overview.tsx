// The state of all queues at a glance: job counts, problems, workers and the latest failures.

import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Figures } from '../../components/figures.tsx';
import { Screen } from '../../components/screen.tsx';
import { navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { loadStats, stats, statsProblem } from '../../core/stats.ts';
import { type Stats, STATES } from '../../core/types.ts';
import { Attention } from './attention.tsx';
import { Charts } from './charts.tsx';
import { notesOf } from './figure-notes.ts';
import { LatestFailures } from './latest-failures.tsx';
import { QueueTable } from './queue-table.tsx';
import { WorkerTable } from './worker-table.tsx';

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
