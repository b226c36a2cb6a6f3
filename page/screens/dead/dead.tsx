// Dead jobs grouped by error, with count, times, trend and a retry for all jobs of a group.

import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { Screen } from '../../components/screen.tsx';
import { Sparkline } from '../../components/chart/sparkline.tsx';
import { Ago } from '../../components/time.tsx';
import { count, counted, shown } from '../../core/format.ts';
import { useHeldRows } from '../../components/table/held-rows.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { stats } from '../../core/stats.ts';
import { askBulk } from '../jobs/ask-bulk.tsx';
import { Progress } from '../jobs/bulk-bar.tsx';

interface ErrorGroup {
  readonly fingerprint: string | null;
  readonly error: string | null;
  readonly count: number;
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly sample_id: string;
  readonly trend: readonly number[];
}

const ALL = 'state:dead';
const NONE: readonly ErrorGroup[] = [];
const keyOf = ({ fingerprint }: ErrorGroup): string => fingerprint ?? 'none';

export default function DeadJobs() {
  const { data, error, reload } = useResource<{ errors: ErrorGroup[] }>('/dlq?by=error');
  const dead = stats.value?.dead ?? 0;
  return (
    <Screen title="Dead jobs" actions={dead > 0 && <AllActions dead={dead} />}>
      <p class="lead muted">
        The dead letter queue: jobs that failed after their last automatic retry. They stay until you retry or
        delete them.
      </p>
      <Progress />
      {error ? <Problem error={error} onRetry={reload} /> : <List errors={data?.errors} />}
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

function List({ errors: newest }: { errors: readonly ErrorGroup[] | undefined }) {
  const { rows: errors, held } = useHeldRows(newest ?? NONE, keyOf);
  if (!newest) return <Loading />;
  if (errors.length === 0) {
    return (
      <Empty title="No dead jobs" command="queuectl dlq list">
        Jobs appear here after their last automatic retry has failed.
      </Empty>
    );
  }
  return (
    <ul class="errors" {...held}>
      {errors.map((group) => (
        <ErrorRow key={keyOf(group)} group={group} />
      ))}
    </ul>
  );
}

function ErrorRow({ group }: { group: ErrorGroup }) {
  const filter = filterOf(group);
  return (
    <li class="error-group">
      <a class="error-count" href={hrefOf('/jobs', { filter })} title="show these jobs">
        {count(group.count)}
      </a>
      <div class="error-words">
        <a class="error-text" href={hrefOf('/jobs', { filter })}>
          {shown(group.error ?? 'no error recorded')}
        </a>
        <p class="muted small">
          first <Ago at={group.first_at} none="unknown" /> · last <Ago at={group.last_at} none="unknown" /> ·
          for example <JobLink id={group.sample_id} />
        </p>
      </div>
      <Sparkline values={group.trend} label={trendLabel(group.trend)} />
      {may('operator') && (
        <div class="error-actions">
          <Button icon="retry" onPress={() => askBulk('retry', 'Retry', { filter })}>
            Retry
          </Button>
          <Button
            icon="trash"
            kind="danger"
            label="Delete"
            onPress={() => askBulk('delete', 'Delete', { filter })}
          />
        </div>
      )}
    </li>
  );
}

const filterOf = ({ fingerprint }: ErrorGroup): string => (fingerprint ? `${ALL} error:${fingerprint}` : ALL);

function trendLabel(trend: readonly number[]): string {
  const today = trend.at(-1) ?? 0;
  return `dead jobs per day over ${trend.length} days, latest last: ${trend.join(', ')}; ${today} today`;
}
