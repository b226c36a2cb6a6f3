// Actions on the queue.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { useKeys } from '../../core/keys.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { NamedQueue } from '../../core/types.ts';
import { actOnQueue } from '../queues/queue-actions.ts';
import { IsolationForm } from './isolation-form.tsx';
import { LimitForm } from './limit-form.tsx';

interface Props {
  readonly queue: NamedQueue;
  /** A queue without jobs and settings. It cannot be paused, but its limits can be set. */
  readonly isUnknown?: boolean;
}

export function QueueButtons({ queue, isUnknown = false }: Props) {
  useKeys([
    { keys: 'e', does: 'edit limits', part: 'Queue', run: () => may('operator') && open('limits') },
    { keys: 'f', does: 'edit isolation', part: 'Queue', run: () => may('operator') && open('isolation') },
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
      {queue.paused_at === null && !isUnknown && (
        <Button icon="hold" onPress={() => actOnQueue(queue.queue, 'pause')}>
          Pause
        </Button>
      )}
      {!queue.draining && !isUnknown && (
        <Button icon="out" onPress={() => askToDrain(queue.queue)}>
          Drain
        </Button>
      )}
      <Button icon="edit" onPress={() => open('limits')}>
        Limits
      </Button>
      <Button icon="policy" onPress={() => open('isolation')}>
        Isolation
      </Button>
      {queryOf('form') === 'limits' && <LimitForm queue={queue} onClose={close} />}
      {queryOf('form') === 'isolation' && <IsolationForm queue={queue} onClose={close} />}
    </>
  );
}

const open = (form: 'limits' | 'isolation'): void => setQuery({ form }, 'push');
const close = (): void => setQuery({ form: '' });

const askToDrain = (name: string): void =>
  confirm({
    title: `Drain ${name}?`,
    text: (
      <p>
        Existing jobs still run. New jobs are rejected, and schedules skip their runs. Resume the queue to accept jobs
        again.
      </p>
    ),
    action: 'Drain the queue',
    run: () => actOnQueue(name, 'drain'),
  });
