// Queues as rows: counts that lead to the jobs, limits and how far they are used, who serves them.

import { Button } from '../../components/button.tsx';
import { Count } from '../../components/table/count.tsx';
import { Meter } from '../../components/meter.tsx';
import { Table } from '../../components/table/table.tsx';
import { hrefOf, navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { type JobState, type NamedQueue, STATES } from '../../core/types.ts';
import { useRows } from '../../components/table/use-rows.ts';
import { isFull, limitsText } from './limits.ts';
import { actOnQueue } from './queue-actions.ts';
import { QueueTags } from './queue-tags.tsx';

const SHOWN: readonly JobState[] = STATES.filter((state) => state !== 'cancelled');

export const queueHref = (name: string): string => `/queues/${encodeURIComponent(name)}`;

export function QueueTable({ queues }: { queues: readonly NamedQueue[] }) {
  const { at, body } = useRows(queues, 'Queues', ({ queue }) => navigate(queueHref(queue)));
  return (
    <Table heads={<Heads />} hasActions={may('operator')} body={body}>
      {queues.map((queue, i) => (
        <Row key={queue.queue} queue={queue} isAt={i === at} />
      ))}
    </Table>
  );
}

const Heads = () => (
  <>
    <th scope="col">queue</th>
    {SHOWN.map((state) => (
      <th key={state} scope="col" class="right">
        {state}
      </th>
    ))}
    <th scope="col" class="limits">
      limits
    </th>
    <th scope="col" class="right">
      workers
    </th>
  </>
);

const Row = ({ queue, isAt }: { queue: NamedQueue; isAt: boolean }) => (
  <tr data-at={isAt}>
    <td class="nowrap card-title">
      <a class="name link-plain" href={queueHref(queue.queue)}>
        {queue.queue}
      </a>{' '}
      <QueueTags queue={queue} />
    </td>
    {SHOWN.map((state) => (
      <td key={state} class="right" data-label={state}>
        <Count n={queue[state]} href={hrefOf('/jobs', { filter: `queue:${queue.queue} state:${state}` })} />
      </td>
    ))}
    <td class="limits nowrap" data-label="limits">
      <Limits queue={queue} />
    </td>
    <td class="right" data-label="workers">
      {queue.workers}
    </td>
    {may('operator') && (
      <td class="narrow card-corner">
        <div class="row-actions">
          <Toggle queue={queue} />
        </div>
      </td>
    )}
  </tr>
);

const Limits = ({ queue }: { queue: NamedQueue }) => {
  const text = limitsText(queue);
  if (text === '') return <span class="zero">none</span>;
  return (
    <span class="meter-and-words">
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

/** Resuming one queue does nothing while everything is paused, unless it is paused by its own name too. */
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
