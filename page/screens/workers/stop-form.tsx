// Stops a worker after its running jobs have finished, or immediately.

import { useState } from 'preact/hooks';
import { ChoiceField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { change } from '../../core/change.ts';
import { counted } from '../../core/format.ts';
import { itemHref, queryOf } from '../../core/router.ts';
import type { Worker } from '../../core/types.ts';

const WAYS = [
  { value: 'graceful', words: 'after its running jobs have finished' },
  { value: 'force', words: 'now; its jobs are stopped and requeued' },
] as const;

type Way = (typeof WAYS)[number]['value'];

export function StopForm({ worker, onClose }: { worker: Worker; onClose: () => void }) {
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
