// A new job, one like another, or a change of one that waits: the same form. Only what was said is sent, so that the server
// checks and fills in the rest as it does for the command line.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { CommandLine } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Problem } from '../../components/feedback.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Job } from '../../core/types.ts';
import { FIELDS, type Field, type Given, givenBy, saidOf } from './job-fields.ts';
import { openJob } from './jobs.tsx';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** What the fields begin with. */
  readonly like?: Job;
  /** Changes that job instead of making a new one. */
  readonly isEdit?: boolean;
}

export function JobForm({ title, onClose, like, isEdit = false }: Props) {
  const start = givenBy(like, isEdit);
  const [given, setGiven] = useState<Given>(start);
  const [error, setError] = useState<unknown>(null);
  const said = saidOf(given, isEdit ? start : {});
  const submit = async (): Promise<void> => {
    try {
      await (isEdit && like ? change(like, said) : create(said));
      onClose();
      reloadAll();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog title={title} kind="wide" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="form">
          {FIELDS.filter((field) => !isEdit || field.isEditable).map((field) => (
            <Input
              key={field.name}
              field={field}
              value={given[field.name] ?? ''}
              onInput={(value) => setGiven({ ...given, [field.name]: value })}
            />
          ))}
        </div>
        {Boolean(error) && <Problem error={error} />}
        <div class="form-command">
          <CommandLine command={commandOf(said, isEdit ? like : undefined)} />
        </div>
        <footer class="dialog-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            {isEdit ? 'Save' : 'Enqueue'}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Input({ field, value, onInput }: InputProps) {
  const props = {
    class: `input${field.isMono ? ' mono' : ''}`,
    name: field.name,
    value,
    placeholder: field.placeholder,
    required: field.isRequired ?? false,
    autoComplete: 'off',
    spellcheck: false,
  };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it is inside, in one of two forms
    <label class={`field${field.isLong ? ' full' : ''}`}>
      <span>
        {field.label} {field.hint && <span class="hint">{field.hint}</span>}
      </span>
      {field.isLong ? (
        <textarea {...props} rows={3} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input {...props} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
    </label>
  );
}

type Said = Readonly<Record<string, unknown>>;

async function create(said: Said): Promise<void> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { jobs } = await send<{ jobs: Job[] }>('POST', '/jobs', said, { headers });
  const [job] = jobs;
  if (!job) return;
  sayDone(`${job.id} is enqueued`);
  openJob(job.id);
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
