// What confines the jobs of a queue, whatever they say themselves. Only what was changed is sent; an emptied field takes it
// back.

import { useState } from 'preact/hooks';
import { FormDialog } from '../../components/form/form.tsx';
import { boundFlags, boundsSaid, givenByBounds } from '../../isolation/given.ts';
import { BoundFields, LimitFields } from '../../isolation/limit-fields.tsx';
import { send } from '../../core/api.ts';
import { shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import type { NamedQueue } from '../../core/types.ts';
import { queueHref } from '../queues/queue-table.tsx';

export function IsolationForm({ queue, onClose }: { queue: NamedQueue; onClose: () => void }) {
  const [start] = useState(() => givenByBounds(queue));
  const [given, setGiven] = useState(start);
  const set = (name: string, value: string): void => setGiven((before) => ({ ...before, [name]: value }));
  const save = async (): Promise<void> => {
    const said = boundsSaid(given, start);
    if (Object.keys(said).length > 0) {
      await send('PATCH', queueHref(queue.queue), said);
      sayDone(`What confines jobs of ${queue.queue} is changed`);
      reloadAll();
    }
    onClose();
  };
  return (
    <FormDialog
      title={`Isolation of ${queue.queue}`}
      action="Save"
      command={[`queuectl queue set ${shellWord(queue.queue)}`, ...boundFlags(given, start)].join(' ')}
      isWide
      onClose={onClose}
      onSend={save}
    >
      <p class="full muted">
        For each of its jobs. Of limits the strictest holds; a job that asks for another sandbox or user is
        refused.
        {!may('admin') && ' Its sandbox and its user are up to an admin.'}
      </p>
      {may('admin') && <BoundFields given={given} onInput={set} unsaid="as the job says" />}
      <LimitFields given={given} onInput={set} />
    </FormDialog>
  );
}
