// What can be done with the queue that is shown.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { useKeys } from '../../core/keys.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { NamedQueue } from '../../core/types.ts';
import { actOnQueue } from '../queues/queue-actions.ts';
import { LimitForm } from './limit-form.tsx';

export function QueueButtons({ queue }: { queue: NamedQueue }) {
  useKeys([
    { keys: 'e', does: 'change its limits', part: 'Queue', run: () => may('operator') && openForm() },
  ]);
  if (!may('operator')) return null;
  const isHeld = queue.paused_at !== null || queue.draining;
  return (
    <>
      {isHeld && (
        <Button icon="play" kind="primary" onPress={() => actOnQueue(queue.queue, 'resume')}>
          Resume
        </Button>
      )}
      {queue.paused_at === null && (
        <Button icon="hold" onPress={() => actOnQueue(queue.queue, 'pause')}>
          Pause
        </Button>
      )}
      {!queue.draining && (
        <Button icon="out" onPress={() => askToDrain(queue.queue)}>
          Drain
        </Button>
      )}
      <Button icon="edit" onPress={openForm}>
        Limits
      </Button>
      {queryOf('limits') !== '' && <LimitForm queue={queue} onClose={closeForm} />}
    </>
  );
}

const openForm = (): void => setQuery({ limits: '1' }, 'push');
const closeForm = (): void => setQuery({ limits: '' });

const askToDrain = (name: string): void =>
  confirm({
    title: `Drain ${name}?`,
    text: (
      <p>
        What is in it still runs, and no new job is taken: whoever enqueues one is told so, and schedules skip
        their ticks. Resume lets new ones in again.
      </p>
    ),
    action: 'Take no new jobs',
    run: () => actOnQueue(name, 'drain'),
  });
