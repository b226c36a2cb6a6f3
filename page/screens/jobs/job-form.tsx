// A new job, one like another, or a change of one that waits: the same form. Only what was said is sent, so that the server
// checks and fills in the rest as it does for the command line.

import { useState } from 'preact/hooks';
import { TextField } from '../../components/form/fields.tsx';
import { Fold } from '../../components/form/fold.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { IsolationFold } from '../../isolation/isolation-fold.tsx';
import { type Given, type Said, withRecipe } from '../../isolation/given.ts';
import type { GivenProps } from '../../isolation/limit-fields.tsx';
import { CommandField, WhatRuns } from '../../isolation/what-runs.tsx';
import { send } from '../../core/api.ts';
import { bytes, counted } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { navigate } from '../../core/router.ts';
import { hiddenVariables } from '../../core/settable.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Job, Original } from '../../core/types.ts';
import { changeSaid, FIELDS, type Field, givenBy, MORE, moreSaid, newJobSaid } from './job-fields.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** What the fields begin with. */
  readonly like?: Original;
  /** The recipe that it begins with. */
  readonly recipe?: string;
  /** Changes that job instead of making a new one. */
  readonly isEdit?: boolean;
}

export function JobForm({ title, onClose, like, recipe, isEdit = false }: Props) {
  const [start] = useState<Given>(() => ({ ...givenBy(like, isEdit), ...(recipe && { recipe }) }));
  const [given, setGiven] = useState<Given>(start);
  const set = (name: string, value: string): void => setGiven((before) => ({ ...before, [name]: value }));
  const said = isEdit ? changeSaid(given, start) : newJobSaid(given, start, like);
  const save = async (): Promise<void> => {
    if (moreSaid(given) === null) throw new Error(`'${MORE}' must be a JSON object: {"key": "eu"}`);
    await (isEdit && like ? change(like, said) : create(said));
    onClose();
    reloadAll();
  };
  return (
    <FormDialog
      title={title}
      action={isEdit ? 'Save' : 'Enqueue'}
      command={commandOf(said, isEdit ? like : undefined)}
      isWide
      onClose={onClose}
      onSend={save}
    >
      {isEdit ? (
        <ChangedCommand job={like} given={given} onInput={set} />
      ) : (
        <WhatRuns given={given} onInput={set} onChoose={(name) => setGiven(withRecipe(given, name))} />
      )}
      {FIELDS.filter(({ name, isEditable }) => name !== 'command' && (!isEdit || isEditable)).map((field) => (
        <Input key={field.name} field={field} given={given} onInput={set} />
      ))}
      <IsolationFold given={given} onInput={set} />
      {!isEdit && <MoreFields given={given} onInput={set} />}
      {!isEdit && like && <NotCopied job={like} />}
    </FormDialog>
  );
}

const ChangedCommand = ({ job, given, onInput }: GivenProps & { job: Job | undefined }) =>
  job?.recipe ? (
    <p class="full muted">
      The recipe {job.recipe} makes its command: to run it with other parameters, clone the job.
    </p>
  ) : (
    <CommandField given={given} onInput={onInput} />
  );

const Input = ({ field, given, onInput }: GivenProps & { field: Field }) => (
  <TextField {...field} value={given[field.name] ?? ''} onInput={(value) => onInput(field.name, value)} />
);

const MoreFields = ({ given, onInput }: GivenProps) => (
  <Fold title="More fields" note={Object.keys(moreSaid(given) ?? {}).join(' · ')}>
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

/** Values that this user cannot read cannot be given to another job. */
function NotCopied({ job }: { job: Original }) {
  const names = hiddenVariables(job);
  const variables = Object.keys(job.environment ?? {}).length;
  if (names.length === 0 && job.stdin_bytes === null && variables === 0) return null;
  return (
    <p class="full muted small">
      Not copied:{' '}
      {[
        ...(names.length > 0 ? [`values of ${names.join(', ')} (only admins see them)`] : []),
        ...(job.stdin_bytes === null ? [] : [`standard input (${bytes(job.stdin_bytes)})`]),
        ...(variables === 0
          ? []
          : [`the environment of the shell that enqueued it (${counted(variables, 'variable')})`]),
      ].join('; ')}
      . Set <code>env</code> and <code>stdin</code> under More fields.
    </p>
  );
}

async function create(said: Said): Promise<void> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { jobs } = await send<{ jobs: Job[] }>('POST', '/jobs', said, { headers });
  const [job] = jobs;
  if (!job) return;
  sayDone(`${job.id} is enqueued`);
  navigate(`/jobs/${encodeURIComponent(job.id)}`);
}

async function change({ id }: Job, said: Said): Promise<void> {
  await send('PATCH', `/jobs/${encodeURIComponent(id)}`, said);
  sayDone(`${id} is changed`);
}

/** JSON is what the command line takes as well. */
function commandOf(said: Said, job: Job | undefined): string {
  const text = `'${JSON.stringify(said).replaceAll("'", `'\\''`)}'`;
  return job ? `echo ${text} | queuectl edit ${job.id} --file -` : `queuectl enqueue ${text}`;
}
