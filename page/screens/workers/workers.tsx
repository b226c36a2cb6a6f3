// Workers by host with their running jobs, slots and warnings.

import { Chips, chipsOf } from '../../components/chips.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { counted } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { itemHref, queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer, Worker } from '../../core/types.ts';
import { WorkerTable } from './worker-table.tsx';
import { useState } from 'preact/hooks';
import { ChoiceField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { change } from '../../core/change.ts';

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

const WAYS = [
  { value: 'graceful', words: 'after its running jobs have finished' },
  { value: 'force', words: 'now; its jobs are stopped and requeued' },
] as const;

type Way = (typeof WAYS)[number]['value'];

function StopForm({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const [way, setWay] = useState<Way>(queryOf('force') === '' ? 'graceful' : 'force');
  const stop = async (): Promise<void> => {
    const path = `${itemHref('workers', worker.id)}/stop`;
    await change(`worker ${worker.id} stopping`, 'POST', path, { force: way === 'force' });
    onClose();
  };
  const jobs = worker.current_jobs.length;
  return (
    <FormDialog
      title={`Stop ${worker.id}?`}
      action="Stop the worker"
      command={`queuectl worker stop ${worker.id}${way === 'force' ? ' --force' : ''}`}
      isDangerous
      onClose={onClose}
      onSend={stop}
    >
      <p class="full">
        The worker starts no new jobs. {jobs > 0 ? `It is running ${counted(jobs, 'job')}.` : 'It is idle.'}
      </p>
      <ChoiceField label="Stop" value={way} choices={WAYS} onChoose={setWay} isFull />
    </FormDialog>
  );
}
