// Creates, clones or edits a job. Only entered values are sent; the server checks them and sets defaults, like for the
// command line.

import { useState } from 'preact/hooks';
import { TextField } from '../../components/form/fields.tsx';
import { Fold } from '../../components/form/fold.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { IsolationFold } from '../../isolation/isolation-fold.tsx';
import { type Given, type Input, withRecipe } from '../../isolation/given.ts';
import type { GivenProps } from '../../isolation/limit-fields.tsx';
import { CommandField, WhatRuns } from '../../isolation/what-runs.tsx';
import { send } from '../../core/api.ts';
import { bytes, counted } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { itemHref, navigate } from '../../core/router.ts';
import { hiddenVariables } from '../../core/settable.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Job, Original } from '../../core/types.ts';
import { changeInput, FIELDS, type Field, givenBy, MORE, moreInput, newJobInput } from './job-fields.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** The job with the initial values. */
  readonly like?: Original;
  readonly recipe?: string;
  /** Edits `like` instead of creating a job. */
  readonly isEdit?: boolean;
}

export function JobForm({ title, onClose, like, recipe, isEdit = false }: Props) {
  const [start] = useState<Given>(() => ({ ...givenBy(like, isEdit), ...(recipe && { recipe }) }));
  const [given, setGiven] = useState<Given>(start);
  const set = (name: string, value: string): void => setGiven((before) => ({ ...before, [name]: value }));
  const edited = isEdit ? like : undefined;
  const input = edited ? changeInput(given, start) : newJobInput(given, start, like);
  const save = async (): Promise<void> => {
    if (moreInput(given) === null) throw new Error(`'${MORE}' must be a JSON object: {"key": "eu"}`);
    const job = edited ? await send<Job>('PATCH', itemHref('jobs', edited.id), input) : await create(input);
    onClose();
    if (!job) return;
    sayDone(`job ${job.id} ${edited ? 'changed' : 'enqueued'}`);
    if (!edited) navigate(itemHref('jobs', job.id));
    reloadAll();
  };
  return (
    <FormDialog
      title={title}
      action={edited ? 'Save' : 'Enqueue'}
      command={commandOf(input, edited)}
      isWide
      onClose={onClose}
      onSend={save}
    >
      {edited ? (
        <ChangedCommand job={edited} given={given} onInput={set} />
      ) : (
        <WhatRuns given={given} onInput={set} onChoose={(name) => setGiven(withRecipe(given, name))} />
      )}
      {FIELDS.filter(({ name, isEditable }) => name !== 'command' && (!isEdit || isEditable)).map((field) => (
        <FieldInput key={field.name} field={field} given={given} onInput={set} />
      ))}
      <IsolationFold given={given} onInput={set} />
      {!edited && <MoreFields given={given} onInput={set} />}
      {!edited && like && <NotCopied job={like} />}
    </FormDialog>
  );
}

const ChangedCommand = ({ job, given, onInput }: GivenProps & { job: Job }) =>
  job.recipe ? (
    <p class="full muted">The recipe {job.recipe} supplies the command. To use other parameters, clone the job.</p>
  ) : (
    <CommandField given={given} onInput={onInput} />
  );

const FieldInput = ({ field, given, onInput }: GivenProps & { field: Field }) => (
  <TextField {...field} value={given[field.name] ?? ''} onInput={(value) => onInput(field.name, value)} />
);

const MoreFields = ({ given, onInput }: GivenProps) => (
  <Fold title="More fields" note={Object.keys(moreInput(given) ?? {}).join(' · ')}>
    <TextField
      label="Fields as JSON"
      hint="env, hooks, key, backoff_base …"
      name={MORE}
      isLong
      isMono
      value={given[MORE] ?? ''}
      onInput={(value) => onInput(MORE, value)}
    />
  </Fold>
);

/** Lists the values that a clone cannot have, because this user cannot read them. */
function NotCopied({ job }: { job: Original }) {
  const names = hiddenVariables(job);
  const variables = Object.keys(job.environment ?? {}).length;
  if (names.length === 0 && job.stdin_bytes === null && variables === 0) return null;
  return (
    <p class="full muted small">
      Not copied:{' '}
      {[
        ...(names.length > 0 ? [`values of ${names.join(', ')} (visible to admins only)`] : []),
        ...(job.stdin_bytes === null ? [] : [`standard input (${bytes(job.stdin_bytes)})`]),
        ...(variables === 0 ? [] : [`the environment of the enqueuing shell (${counted(variables, 'variable')})`]),
      ].join('; ')}
      . Set <code>env</code> and <code>stdin</code> under More fields.
    </p>
  );
}

async function create(input: Input): Promise<Job | undefined> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { jobs } = await send<{ jobs: Job[] }>('POST', '/jobs', input, { headers });
  return jobs[0];
}

/** The equivalent command, which accepts the same JSON. */
function commandOf(input: Input, job: Job | undefined): string {
  const text = `'${JSON.stringify(input).replaceAll("'", `'\\''`)}'`;
  return job ? `echo ${text} | queuectl edit ${job.id} --file -` : `queuectl enqueue ${text}`;
}
