// Schedules with their description, next run and command.

import { Button } from '../../components/button.tsx';
import { Chips, chipsOf } from '../../components/chips.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer, Schedule } from '../../core/types.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleTable } from './schedule-table.tsx';

const STATES = ['active', 'paused', 'ended'] as const;
const EXAMPLE = "queuectl schedule add backup --cron '30 2 * * *' ./backup.sh";

export default function Schedules() {
  const schedules = useResource<Answer<'listSchedules'>>('/schedules');
  useKeys([{ keys: 'n', does: 'new schedule', part: 'Schedules', run: () => may('operator') && openForm() }]);
  return (
    <Screen
      title="Schedules"
      actions={
        may('operator') && (
          <Button kind="primary" icon="plus" onPress={openForm}>
            New schedule
          </Button>
        )
      }
    >
      <Loaded from={schedules}>{({ schedules }) => <Filled schedules={schedules} />}</Loaded>
      {queryOf('new') !== '' && may('operator') && <ScheduleForm onClose={closeForm} />}
    </Screen>
  );
}

const openForm = (): void => setQuery({ new: '1' }, 'push');
const closeForm = (): void => setQuery({ new: '' });

function Filled({ schedules }: { schedules: readonly Schedule[] }) {
  const state = queryOf('state');
  const shown = schedules.filter((schedule) => state === '' || schedule.state === state);
  if (schedules.length === 0) return <NoSchedules />;
  return (
    <>
      <div class="screen-tools">
        <Chips name="state" label="state of schedules" chips={chipsOf(schedules, STATES, ({ state }) => state)} />
      </div>
      {shown.length > 0 ? <ScheduleTable schedules={shown} /> : <Empty title={`No schedule is ${state}`} />}
      <SameCommands commands={['queuectl schedule list', EXAMPLE]} />
    </>
  );
}

const NoSchedules = () => (
  <Empty title="No schedules yet" command={EXAMPLE}>
    A schedule enqueues jobs by a cron expression in any time zone, at an interval, or once. Use queuectl schedule
    import to import a crontab.
  </Empty>
);
