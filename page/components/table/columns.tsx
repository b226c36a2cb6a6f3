// Columns that several tables share.

import type { ComponentChildren } from 'preact';
import { commandText, count, shown } from '../../core/format.ts';
import { hrefOf } from '../../core/router.ts';
import type { Job, JobState, QueueStats } from '../../core/types.ts';
import { JobLink } from '../job-link.tsx';
import { State } from '../state.tsx';
import type { Column } from './table.tsx';

/** The buttons of a row; on a card, below it or in its corner. */
export const actions = <T,>(cell: (row: T) => ComponentChildren, card?: 'corner'): Column<T> => ({
  head: 'actions',
  isHeadHidden: true,
  width: 'fit',
  ...(card && { card }),
  cell: (row) => <div class="row-actions">{cell(row)}</div>,
});

export const stateColumn: Column<Pick<Job, 'state'>> = {
  head: 'state',
  width: 'fit',
  cell: ({ state }) => <State state={state} />,
};

export const idColumn: Column<Pick<Job, 'id'>> = {
  head: 'ID',
  width: 'fit',
  cell: ({ id }) => <JobLink id={id} />,
};

export const commandColumn: Column<Pick<Job, 'command'>> = {
  head: 'command',
  width: 'rest',
  class: 'mono',
  cell: ({ command }) => shown(commandText(command)),
};

export const errorColumn: Column<Pick<Job, 'last_error'>> = {
  head: 'error',
  width: 'rest',
  class: 'muted',
  cell: ({ last_error }) => shown(last_error),
};

/** Job count of a queue by state, as a link to the jobs. Zero is pale, so that other numbers stand out. */
export const stateCount = <T extends Pick<QueueStats, 'queue' | JobState>>(state: JobState): Column<T> => ({
  head: state,
  isRight: true,
  cell: (row) =>
    row[state] === 0 ? (
      <span class="zero">0</span>
    ) : (
      <a href={hrefOf('/jobs', { filter: `queue:${row.queue} state:${state}` })}>{count(row[state])}</a>
    ),
});
