// Actions on the selected jobs. The bar replaces the line below the search, so that nothing jumps.

import { Button } from '../../components/button.tsx';
import type { IconName } from '../../components/icon.tsx';
import { count as text } from '../../core/format.ts';
import type { Answer, Job } from '../../core/types.ts';
import { type BulkAction, everything, running, stop, type Target } from './bulk.ts';
import { askBulk } from './ask-bulk.tsx';
import { clearSelection, hasSelection, isAllMatching, selectAllMatching, selected } from './selection.ts';

interface Props {
  readonly filter: string;
  readonly jobs: readonly Job[];
  readonly count: Answer<'countJobs'> | undefined;
}

const ACTIONS: readonly [BulkAction, string, IconName][] = [
  ['retry', 'Retry', 'retry'],
  ['run-now', 'Run now', 'play'],
  ['hold', 'Hold', 'hold'],
  ['release', 'Release', 'right'],
  ['cancel', 'Cancel', 'cancel'],
  ['delete', 'Delete', 'trash'],
];

export function BulkBar({ filter, jobs, count }: Props) {
  if (running.value) return <Progress />;
  if (!hasSelection.value) return null;
  const target: Target = isAllMatching.value ? { filter: everything(filter) } : { ids: [...selected.value] };
  return (
    <section class="bulk-bar" aria-label="selected jobs">
      <Chosen jobs={jobs} count={count} />
      <div class="bulk-actions">
        {ACTIONS.map(([action, words, icon]) => (
          <Button
            key={action}
            icon={icon}
            kind={action === 'delete' ? 'danger' : 'plain'}
            onPress={() => askBulk(action, words, target)}
          >
            {words}
          </Button>
        ))}
        <Button icon="close" kind="quiet" label="clear the selection" onPress={clearSelection} />
      </div>
    </section>
  );
}

function Chosen({ jobs, count }: Pick<Props, 'jobs' | 'count'>) {
  const total = count && `${count.is_exact ? '' : 'more than '}${text(count.count)}`;
  if (isAllMatching.value) return <span>All {total} matching jobs</span>;
  const isPage = jobs.length > 0 && jobs.every(({ id }) => selected.value.has(id));
  const hasMore = count && (!count.is_exact || count.count > selected.value.size);
  return (
    <span>
      {text(selected.value.size)} selected{' '}
      {isPage && hasMore && (
        <button type="button" class="link" onClick={selectAllMatching}>
          Select all {total} matching jobs
        </button>
      )}
    </span>
  );
}

export function Progress() {
  const bulk = running.value;
  if (!bulk) return null;
  return (
    <section class="bulk-bar" aria-label="progress">
      <span>
        {bulk.action}: {text(bulk.done)} of {text(bulk.total)}
      </span>
      <progress max={bulk.total || 1} value={bulk.done} aria-label="progress of the bulk operation" />
      <Button onPress={() => stop(bulk.id)}>Stop</Button>
    </section>
  );
}
