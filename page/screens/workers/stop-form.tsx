// Stops a worker after its running jobs have finished, or immediately.

import { useState } from 'preact/hooks';
import { ChoiceField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { send } from '../../core/api.ts';
import { counted } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { queryOf } from '../../core/router.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Worker } from '../../core/types.ts';

const WAYS = [
  { value: 'graceful', words: 'after its running jobs have finished' },
  { value: 'force', words: 'now; its jobs are stopped and requeued' },
] as const;

type Way = (typeof WAYS)[number]['value'];

export function StopForm({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const [way, setWay] = useState<Way>(queryOf('force') === '' ? 'graceful' : 'force');
  const stop = async (): Promise<void> => {
    await send('POST', `/workers/${encodeURIComponent(worker.id)}/stop`, { force: way === 'force' });
    sayDone(`worker ${worker.id} stopping`);
    onClose();
    reloadAll();
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
