// Actions on the schedule.

import { Button } from '../../components/button.tsx';
import { useKeys } from '../../core/keys.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayFailed } from '../../core/toasts.ts';
import type { Schedule } from '../../core/types.ts';
import { askToDeleteSchedule, pause, resume, runNow } from '../schedules/schedule-actions.ts';
import { ScheduleForm } from '../schedules/schedule-form.tsx';

export function ScheduleButtons({ schedule }: { schedule: Schedule }) {
  const { name, state } = schedule;
  useKeys([
    { keys: 'e', does: 'edit', part: 'Schedule', run: () => may('operator') && openForm() },
    {
      keys: 'r',
      does: 'run now',
      part: 'Schedule',
      run: () => may('operator') && runNow(name).catch(sayFailed),
    },
  ]);
  if (!may('operator')) return null;
  return (
    <>
      <Button icon="play" onPress={() => runNow(name)}>
        Run now
      </Button>
      {state === 'paused' && (
        <Button icon="retry" kind="primary" onPress={() => resume(name)}>
          Resume
        </Button>
      )}
      {state === 'active' && (
        <Button icon="hold" onPress={() => pause(name)}>
          Pause
        </Button>
      )}
      <Button icon="edit" onPress={openForm}>
        Edit
      </Button>
      <Button icon="trash" kind="danger" label="Delete" onPress={() => askToDeleteSchedule(name)} />
      {queryOf('edit') !== '' && <ScheduleForm schedule={schedule} onClose={closeForm} />}
    </>
  );
}

const openForm = (): void => setQuery({ edit: '1' }, 'push');
const closeForm = (): void => setQuery({ edit: '' });
