// The queues: what is in each, whether it goes on, and its limits.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Icon } from '../../components/icon.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { stats } from '../../core/stats.ts';
import type { NamedQueue } from '../../core/types.ts';
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
  const { data, error, reload } = useResource<{ queues: NamedQueue[] }>('/queues');
  const isAllPaused = stats.value?.all_paused ?? false;
  return (
    <Screen title="Queues" actions={may('operator') && !isAllPaused && <PauseAll />}>
      {isAllPaused && <AllPaused />}
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled queues={data.queues} /> : !error && <Loading />}
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
        <Chips name="show" label="which queues" chips={chipsOf(queues)} />
      </div>
      {shown.length > 0 ? <QueueTable queues={shown} /> : <Empty title="No queue is like that" />}
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
    A queue is made by the first job that names it. Each can be paused, and limited to so many jobs at once or
    so many a minute.
  </Empty>
);

const PauseAll = () => (
  <Button icon="hold" onPress={askToPauseAll}>
    Pause everything
  </Button>
);

const askToPauseAll = (): void =>
  confirm({
    title: 'Pause everything?',
    text: (
      <p>No worker starts a job until it is resumed. What runs goes on, and jobs can still be enqueued.</p>
    ),
    action: 'Pause everything',
    run: () => actOnAll('pause'),
  });

const AllPaused = () => (
  <div class="banner" role="status">
    <Icon name="hold" />
    <span>Everything is paused: what runs goes on, nothing new starts.</span>
    {may('operator') && (
      <Button icon="play" kind="primary" onPress={() => actOnAll('resume')}>
        Resume everything
      </Button>
    )}
  </div>
);
