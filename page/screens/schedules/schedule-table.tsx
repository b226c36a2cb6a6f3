// Schedules as rows, by name.

import { Button } from '../../components/button.tsx';
import { heads, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import { commandText } from '../../core/format.ts';
import { navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Schedule } from '../../core/types.ts';
import { useRows } from '../../components/table/use-rows.ts';
import { dueText } from './next-times.tsx';
import { runNow, scheduleHref, setPaused } from './schedule-actions.tsx';
import { ScheduleState } from './schedule-state.tsx';

export function ScheduleTable({ schedules }: { schedules: readonly Schedule[] }) {
  const { at, body } = useRows(schedules, 'Schedules', ({ name }) => navigate(scheduleHref(name)));
  return (
    <Table
      class="schedules-table"
      heads={heads('schedule', 'state', 'runs', 'next', 'command')}
      hasActions={may('operator')}
      body={body}
    >
      {schedules.map((schedule, i) => (
        <Row key={schedule.name} schedule={schedule} isAt={i === at} />
      ))}
    </Table>
  );
}

const Row = ({ schedule, isAt }: { schedule: Schedule; isAt: boolean }) => (
  <tr data-at={isAt}>
    <td class="nowrap card-title">
      <a class="name link-plain" href={scheduleHref(schedule.name)}>
        {schedule.name}
      </a>
    </td>
    <td class="narrow" data-label="state">
      <ScheduleState state={schedule.state} />
    </td>
    <td data-label="runs">
      <span>
        {schedule.words} <span class="muted nowrap">{schedule.time_zone}</span>
      </span>
    </td>
    <td class="nowrap" data-label="next">
      {schedule.next_at ? (
        <span>
          {dueText(Date.parse(schedule.next_at))}{' '}
          <span class="muted">
            · <When at={schedule.next_at} />
          </span>
        </span>
      ) : (
        <span class="muted">never</span>
      )}
    </td>
    <td class="mono stretch" data-label="command">
      <div class="cut">{commandText(commandOf(schedule))}</div>
    </td>
    {may('operator') && (
      <td class="narrow">
        <RowActions schedule={schedule} />
      </td>
    )}
  </tr>
);

export const commandOf = ({ job }: Schedule): string | readonly string[] =>
  job.command as string | readonly string[];

const RowActions = ({ schedule: { name, state } }: { schedule: Schedule }) => (
  <div class="row-actions">
    <Button icon="play" label={`Run now: ${name}`} onPress={() => runNow(name)}>
      Run now
    </Button>
    {state === 'paused' && (
      <Button icon="retry" label={`resume ${name}`} onPress={() => setPaused(name, 'resume')}>
        Resume
      </Button>
    )}
    {state === 'active' && (
      <Button icon="hold" label={`pause ${name}`} onPress={() => setPaused(name, 'pause')}>
        Pause
      </Button>
    )}
  </div>
);
