// Dead jobs grouped by error, with count, times, trend and a retry for all jobs of a group.

import { Button } from '../../components/button.tsx';
import { Empty, Problem } from '../../components/feedback.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { Screen } from '../../components/screen.tsx';
import { Sparkline } from '../../components/chart/sparkline.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { count, counted, shown } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { stats } from '../../core/stats.ts';
import type { Answer, ErrorGroup } from '../../core/types.ts';
import { askBulk } from '../jobs/ask-bulk.tsx';
import { Progress } from '../jobs/bulk-bar.tsx';

const ALL = 'state:dead';

export default function DeadJobs() {
  const { data, error, reload } = useResource<Answer<'listErrors'>>('/dlq?by=error');
  const dead = stats.value?.dead ?? 0;
  return (
    <Screen title="Dead jobs" actions={dead > 0 && <AllActions dead={dead} />}>
      <p class="lead">
        The dead letter queue: jobs that failed after their last automatic retry. They stay until you retry or delete
        them.
      </p>
      <Progress />
      {error ? (
        <Problem error={error} onRetry={reload} />
      ) : (
        <Table
          name="errors"
          columns={[
            ...COLUMNS,
            may('operator') && actions<ErrorGroup>((group) => <RowActions filter={filterOf(group)} />),
          ]}
          rows={data?.errors}
          keyOf={({ fingerprint }) => fingerprint ?? 'none'}
          narrow="lines"
          areHeadsHidden
          isHeld
          empty={<NoneDead />}
        />
      )}
    </Screen>
  );
}

const AllActions = ({ dead }: { dead: number }) => (
  <>
    <a class="button" href={hrefOf('/jobs', { filter: ALL })}>
      All {counted(dead, 'job')}
    </a>
    {may('operator') && (
      <Button icon="retry" onPress={() => askBulk('retry', 'Retry', { filter: ALL })}>
        Retry all
      </Button>
    )}
  </>
);

const NoneDead = () => (
  <Empty title="No dead jobs" command="queuectl dlq list">
    Jobs appear here after their last automatic retry has failed.
  </Empty>
);

const COLUMNS: readonly Column<ErrorGroup>[] = [
  {
    head: 'jobs',
    name: 'count',
    isRight: true,
    cell: (group) => (
      <a href={hrefOf('/jobs', { filter: filterOf(group) })} title="show these jobs">
        {count(group.count)}
      </a>
    ),
  },
  {
    head: 'error',
    name: 'error',
    cell: (group) => (
      <>
        <a class="error-text" href={hrefOf('/jobs', { filter: filterOf(group) })}>
          {shown(group.error ?? 'no error recorded')}
        </a>
        <div class="muted small">
          first <Ago at={group.first_at} none="unknown" /> · last <Ago at={group.last_at} none="unknown" /> · for
          example <JobLink id={group.sample_id} />
        </div>
      </>
    ),
  },
  {
    head: 'trend',
    name: 'trend',
    cell: ({ trend }) => <Sparkline values={trend} label={trendLabel(trend)} />,
  },
];

const RowActions = ({ filter }: { filter: string }) => (
  <>
    <Button icon="retry" onPress={() => askBulk('retry', 'Retry', { filter })}>
      Retry
    </Button>
    <Button icon="trash" kind="danger" label="Delete" onPress={() => askBulk('delete', 'Delete', { filter })} />
  </>
);

const filterOf = ({ fingerprint }: ErrorGroup): string => (fingerprint ? `${ALL} error:${fingerprint}` : ALL);

function trendLabel(trend: readonly number[]): string {
  const today = trend.at(-1) ?? 0;
  return `dead jobs per day over ${trend.length} days, latest last: ${trend.join(', ')}; ${today} today`;
}
