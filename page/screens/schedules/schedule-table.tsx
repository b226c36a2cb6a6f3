// Schedules by name.

import { Button } from '../../components/button.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import { commandText } from '../../core/format.ts';
import { itemHref, navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Schedule } from '../../core/types.ts';
import { dueText } from './next-times.tsx';
import { pause, resume, runNow } from './schedule-actions.ts';
import { ScheduleState } from './schedule-state.tsx';

const COLUMNS: readonly Column<Schedule>[] = [
  {
    head: 'schedule',
    card: 'title',
    class: 'nowrap',
    cell: ({ name }) => (
      <a class="name link-plain" href={itemHref('schedules', name)}>
        {name}
      </a>
    ),
  },
  { head: 'state', width: 'fit', cell: ({ state }) => <ScheduleState state={state} /> },
  {
    head: 'runs',
    cell: ({ words, time_zone }) => (
      <span>
        {words} <span class="muted nowrap">{time_zone}</span>
      </span>
    ),
  },
  { head: 'next run', class: 'nowrap', cell: ({ next_at }) => <NextRun at={next_at} /> },
  {
    head: 'command',
    width: 'rest',
    class: 'mono',
    cell: (schedule) => commandText(commandOf(schedule)),
  },
];

export const ScheduleTable = ({ schedules }: { schedules: readonly Schedule[] }) => (
  <Table
    name="schedules-table"
    columns={[...COLUMNS, may('operator') && actions<Schedule>((schedule) => <RowActions schedule={schedule} />)]}
    rows={schedules}
    keyOf={({ name }) => name}
    keys={{ part: 'Schedules', open: ({ name }) => navigate(itemHref('schedules', name)) }}
  />
);

const NextRun = ({ at }: { at: string | null }) =>
  at === null ? (
    <span class="muted">never</span>
  ) : (
    <span>
      {dueText(Date.parse(at))}{' '}
      <span class="muted">
        · <When at={at} />
      </span>
    </span>
  );

export const commandOf = ({ job }: Schedule): string | readonly string[] => job.command as string | readonly string[];

const RowActions = ({ schedule: { name, state } }: { schedule: Schedule }) => (
  <>
    <Button icon="play" label={`Run now: ${name}`} onPress={() => runNow(name)}>
      Run now
    </Button>
    {state === 'paused' && (
      <Button icon="retry" label={`resume ${name}`} onPress={() => resume(name)}>
        Resume
      </Button>
    )}
    {state === 'active' && (
      <Button icon="hold" label={`pause ${name}`} onPress={() => pause(name)}>
        Pause
      </Button>
    )}
  </>
);
