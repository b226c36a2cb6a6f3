// Schedules with their description, next run and command.

import { Button } from '../../components/button.tsx';
import { Chips } from '../../components/chips.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Schedule } from '../../core/types.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleTable } from './schedule-table.tsx';

const STATES = ['active', 'paused', 'ended'] as const;

export default function Schedules() {
  const { data, error, reload } = useResource<{ schedules: Schedule[] }>('/schedules');
  useKeys([{ keys: 'n', does: 'new schedule', part: 'Schedules', run: () => may('operator') && openForm() }]);
  return (
    <Screen title="Schedules" actions={may('operator') && <NewButton />}>
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled schedules={data.schedules} /> : !error && <Loading />}
      {queryOf('new') !== '' && may('operator') && <ScheduleForm onClose={closeForm} />}
    </Screen>
  );
}

const openForm = (): void => setQuery({ new: '1' }, 'push');
const closeForm = (): void => setQuery({ new: '' });

const NewButton = () => (
  <Button kind="primary" icon="plus" onPress={openForm}>
    New schedule
  </Button>
);

function Filled({ schedules }: { schedules: readonly Schedule[] }) {
  const state = queryOf('state');
  const shown = schedules.filter((schedule) => state === '' || schedule.state === state);
  if (schedules.length === 0) return <NoSchedules />;
  return (
    <>
      <div class="screen-tools">
        <Chips name="state" label="state of schedules" chips={chipsOf(schedules)} />
      </div>
      {shown.length > 0 ? <ScheduleTable schedules={shown} /> : <Empty title={`No schedule is ${state}`} />}
      <SameCommands
        commands={['queuectl schedule list', "queuectl schedule add backup --cron '30 2 * * *' ./backup.sh"]}
      />
    </>
  );
}

const chipsOf = (schedules: readonly Schedule[]) =>
  STATES.map((state) => ({
    value: state,
    words: state,
    count: schedules.filter((schedule) => schedule.state === state).length,
  }));

const NoSchedules = () => (
  <Empty title="No schedules yet" command="queuectl schedule add backup --cron '30 2 * * *' ./backup.sh">
    A schedule enqueues jobs by a cron expression in any time zone, at an interval, or once. Use queuectl
    schedule import to import a crontab.
  </Empty>
);
