// Named queues with job counts, state and limits.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { stats } from '../../core/stats.ts';
import type { Answer, NamedQueue } from '../../core/types.ts';
import { Chips } from '../../components/chips.tsx';
import { isFull } from './limits.ts';
import { actOnAll } from './queue-actions.ts';
import { QueueTable } from './queue-table.tsx';

type Show = 'waiting' | 'paused' | 'full' | 'dead';

const SHOWS: Readonly<Record<Show, { words: string; fits: (queue: NamedQueue) => boolean }>> = {
  waiting: { words: 'with jobs waiting', fits: ({ pending, blocked }) => pending + blocked > 0 },
  full: { words: 'at their limit', fits: isFull },
  paused: { words: 'paused or draining', fits: ({ paused, draining }) => paused || draining },
  dead: { words: 'with dead jobs', fits: ({ dead }) => dead > 0 },
};

export default function Queues() {
  const queues = useResource<Answer<'listQueues'>>('/queues');
  const isAllPaused = stats.value?.all_paused ?? false;
  return (
    <Screen
      title="Queues"
      actions={
        may('operator') &&
        !isAllPaused && (
          <Button icon="hold" onPress={askToPauseAll}>
            Pause all queues
          </Button>
        )
      }
    >
      {isAllPaused && <AllPaused />}
      <Loaded from={queues}>{({ queues }) => <Filled queues={queues} />}</Loaded>
    </Screen>
  );
}

function Filled({ queues }: { queues: readonly NamedQueue[] }) {
  const show = SHOWS[queryOf('show') as Show];
  const shown = show ? queues.filter(show.fits) : queues;
  if (queues.length === 0) return <NoQueues />;
  return (
    <>
      <div class="screen-tools">
        <Chips name="show" label="condition of queues" chips={chipsOf(queues)} />
      </div>
      {shown.length > 0 ? <QueueTable queues={shown} /> : <Empty title="No matching queues" />}
      <SameCommands commands={['queuectl queue list', 'queuectl queue set NAME --concurrency 2']} />
    </>
  );
}

const chipsOf = (queues: readonly NamedQueue[]) =>
  Object.entries(SHOWS).map(([value, { words, fits }]) => ({
    value,
    words,
    count: queues.filter(fits).length,
  }));

const NoQueues = () => (
  <Empty title="No queues yet" command="queuectl enqueue --queue mail './send.sh'">
    The first job with a new queue name creates the queue. You can pause a queue, and limit its concurrency and rate.
  </Empty>
);

const askToPauseAll = (): void =>
  confirm({
    title: 'Pause all queues?',
    text: <p>No job starts until you resume. Running jobs continue, and new jobs can be enqueued.</p>,
    action: 'Pause all queues',
    run: () => actOnAll('pause'),
  });

const AllPaused = () => (
  <div class="banner" role="status">
    <Icon name="hold" />
    <span>All queues are paused. Running jobs continue; no new job starts.</span>
    {may('operator') && (
      <Button icon="play" kind="primary" onPress={() => actOnAll('resume')}>
        Resume all queues
      </Button>
    )}
  </div>
);
