// Named queues: job counts that link to the jobs, limits and their use, and the number of workers.

import { Button } from '../../components/button.tsx';
import { Meter } from '../../components/meter.tsx';
import { actions, stateCount } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { itemHref, navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { type NamedQueue, STATES } from '../../core/types.ts';
import { isFull, limitsText } from './limits.ts';
import { actOnQueue } from './queue-actions.ts';
import { QueueTags } from './queue-tags.tsx';

const COLUMNS: readonly Column<NamedQueue>[] = [
  {
    head: 'queue',
    card: 'title',
    class: 'nowrap',
    cell: (queue) => (
      <>
        <a class="name link-plain" href={itemHref('queues', queue.queue)}>
          {queue.queue}
        </a>{' '}
        <QueueTags queue={queue} />
      </>
    ),
  },
  ...STATES.filter((state) => state !== 'cancelled').map((state) => stateCount<NamedQueue>(state)),
  { head: 'limits', name: 'limits', class: 'nowrap', cell: (queue) => <Limits queue={queue} /> },
  { head: 'workers', isRight: true, cell: ({ workers }) => workers },
];

export const QueueTable = ({ queues }: { queues: readonly NamedQueue[] }) => (
  <Table
    columns={[...COLUMNS, may('operator') && actions<NamedQueue>((queue) => <Toggle queue={queue} />, 'corner')]}
    rows={queues}
    keyOf={({ queue }) => queue}
    keys={{ part: 'Queues', open: ({ queue }) => navigate(itemHref('queues', queue)) }}
  />
);

const Limits = ({ queue }: { queue: NamedQueue }) => {
  const text = limitsText(queue);
  if (text === '') return <span class="zero">none</span>;
  return (
    <span>
      {queue.concurrency !== null && (
        <Meter
          used={queue.processing}
          of={queue.concurrency}
          isFull={isFull(queue)}
          label={`${queue.processing} of ${queue.concurrency} at once`}
        />
      )}
      {text}
    </span>
  );
};

/** While all queues are paused, resuming a queue has an effect only if that queue is paused by name too. */
function Toggle({ queue: { queue, paused, paused_at, draining } }: { queue: NamedQueue }) {
  const isHeld = paused_at !== null || draining;
  if (paused && !isHeld) return null;
  return isHeld ? (
    <Button icon="play" label={`resume ${queue}`} onPress={() => actOnQueue(queue, 'resume')}>
      Resume
    </Button>
  ) : (
    <Button icon="hold" label={`pause ${queue}`} onPress={() => actOnQueue(queue, 'pause')}>
      Pause
    </Button>
  );
}
