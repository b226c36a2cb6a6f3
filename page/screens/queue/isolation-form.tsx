// Isolation that a queue imposes on its jobs. Only changes are sent; an empty field removes a value.

import { useState } from 'preact/hooks';
import { FormDialog } from '../../components/form/form.tsx';
import { boundFlags, boundsInput, givenByBounds } from '../../isolation/given.ts';
import { BoundFields, LimitFields } from '../../isolation/limit-fields.tsx';
import { change } from '../../core/change.ts';
import { shellWord } from '../../core/format.ts';
import { itemHref } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { NamedQueue } from '../../core/types.ts';

export function IsolationForm({ queue, onClose }: { queue: NamedQueue; onClose: () => void }) {
  const [start] = useState(() => givenByBounds(queue));
  const [given, setGiven] = useState(start);
  const set = (name: string, value: string): void => setGiven((before) => ({ ...before, [name]: value }));
  const save = async (): Promise<void> => {
    const input = boundsInput(given, start);
    if (Object.keys(input).length > 0)
      await change(`isolation of queue ${queue.queue} changed`, 'PATCH', itemHref('queues', queue.queue), input);
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
        Applies to each job of this queue. The strictest limit applies. Jobs that request another sandbox or user are
        rejected.
        {!may('admin') && ' Only admins can change the sandbox and the user.'}
      </p>
      {may('admin') && <BoundFields given={given} onInput={set} fallback="same as the job" />}
      <LimitFields given={given} onInput={set} />
    </FormDialog>
  );
}
