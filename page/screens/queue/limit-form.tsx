// Concurrency and rate limits of a queue. An empty field means no limit; only changes are sent.

import { useState } from 'preact/hooks';
import { rateText } from '../../../src/time/rate.ts';
import { TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { change } from '../../core/change.ts';
import { shellWord } from '../../core/format.ts';
import { itemHref } from '../../core/router.ts';
import type { NamedQueue } from '../../core/types.ts';
import { numberOrText } from '../../isolation/given.ts';

interface Limits {
  readonly concurrency: string;
  readonly rate: string;
  readonly burst: string;
}

const limitsOf = ({ concurrency, rate_per_second: rate, burst }: NamedQueue): Limits => ({
  concurrency: concurrency === null ? '' : String(concurrency),
  rate: rate === null ? '' : rateText(rate),
  burst: burst === null ? '' : String(burst),
});

export function LimitForm({ queue, onClose }: { queue: NamedQueue; onClose: () => void }) {
  const [start] = useState(() => limitsOf(queue));
  const [limits, setLimits] = useState(start);
  const set = (name: keyof Limits) => (value: string) => setLimits({ ...limits, [name]: value.trim() });
  const send = async (): Promise<void> => {
    await save(queue.queue, changed(start, limits));
    onClose();
  };
  return (
    <FormDialog
      title={`Limits of ${queue.queue}`}
      action="Save"
      command={commandOf(queue.queue, changed(start, limits))}
      onClose={onClose}
      onSend={send}
    >
      <TextField
        label="Concurrency"
        name="concurrency"
        hint="jobs at once on all workers"
        value={limits.concurrency}
        onInput={set('concurrency')}
        placeholder="no limit"
      />
      <TextField
        label="Starts"
        name="rate"
        hint="10/s, 100/m, 5/h, 1/d"
        value={limits.rate}
        onInput={set('rate')}
        placeholder="no limit"
      />
      <TextField
        label="Burst"
        name="burst"
        hint="jobs that may start at once after an idle period"
        value={limits.burst}
        onInput={set('burst')}
        placeholder="1"
        isFull
      />
    </FormDialog>
  );
}

type Change = Partial<Limits>;

const changed = (start: Limits, now: Limits): Change =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== start[name as keyof Limits]));

async function save(name: string, changed: Change): Promise<void> {
  const body = Object.fromEntries(
    Object.entries(changed).map(([limit, text]) => [
      limit,
      text === '' ? null : limit === 'rate' ? text : numberOrText(text),
    ]),
  );
  if (Object.keys(body).length > 0)
    await change(`limits of queue ${name} changed`, 'PATCH', itemHref('queues', name), body);
}

const commandOf = (name: string, change: Change): string =>
  [
    `queuectl queue set ${shellWord(name)}`,
    ...Object.entries(change).map(([flag, value]) => `--${flag} ${value === '' ? 'none' : shellWord(value)}`),
  ].join(' ');
