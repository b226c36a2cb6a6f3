// Workers by host with their running jobs, slots and warnings.

import { Chips, chipsOf } from '../../components/chips.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { counted } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer, Worker } from '../../core/types.ts';
import { StopForm } from './stop-form.tsx';
import { WorkerTable } from './worker-table.tsx';

const STATES = ['busy', 'idle', 'stopping', 'lost'] as const;

export default function Workers() {
  return (
    <Screen title="Workers">
      <Loaded from={useResource<Answer<'listWorkers'>>('/workers')}>
        {({ workers }) => <Filled workers={workers} />}
      </Loaded>
    </Screen>
  );
}

function Filled({ workers }: { workers: readonly Worker[] }) {
  const state = queryOf('state');
  const shown = workers.filter((worker) => state === '' || worker.state === state);
  const stopping = workers.find(({ id }) => id === queryOf('stop'));
  if (workers.length === 0) return <NoWorkers />;
  return (
    <>
      <div class="screen-tools">
        <Chips name="state" label="state of workers" chips={chipsOf(workers, STATES, ({ state }) => state)} />
      </div>
      {shown.length === 0 && <Empty title={`No worker is ${state}`} />}
      {hostsOf(shown).map(([host, own]) => (
        <Section key={host} title={host} note={noteOf(own)}>
          <WorkerTable workers={own} />
        </Section>
      ))}
      <SameCommands commands={['queuectl worker list', 'queuectl worker start --count 2', 'queuectl worker stop']} />
      {stopping && may('operator') && <StopForm worker={stopping} onClose={() => setQuery({ stop: '' })} />}
    </>
  );
}

const hostsOf = (workers: readonly Worker[]): [string, Worker[]][] =>
  [...Map.groupBy(workers, ({ host }) => host)].sort(([a], [b]) => a.localeCompare(b));

function noteOf(workers: readonly Worker[]): string {
  const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const taken = workers.reduce((sum, { current_jobs }) => sum + current_jobs.length, 0);
  return `${counted(workers.length, 'worker')} · ${taken} of ${counted(slots, 'slot')} used`;
}

const NoWorkers = () => (
  <Empty title="No worker is running" command="queuectl worker start --count 2">
    Jobs wait until a worker starts. Workers keep running in the background after you close the terminal. To run workers
    together with the dashboard, use queuectl serve --workers 2.
  </Empty>
);
