// Isolation that a queue imposes on its jobs. Only changes are sent; an empty field removes a value.

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
      sayDone(`isolation of queue ${queue.queue} changed`);
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
        Applies to each job of this queue. The strictest limit applies. Jobs that request another sandbox or
        user are rejected.
        {!may('admin') && ' Only admins can change the sandbox and the user.'}
      </p>
      {may('admin') && <BoundFields given={given} onInput={set} unsaid="same as the job" />}
      <LimitFields given={given} onInput={set} />
    </FormDialog>
  );
}
