// The value of a secret: typed without being shown, or from a file, whose line ends a field would lose. It is sent, and gone
// with the form.

import { useState } from 'preact/hooks';
import { SHORTEST_MASKED_BYTES, withoutLineEnd } from '../../../src/job/isolation/secret-value.ts';
import { TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { send } from '../../core/api.ts';
import { shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';

interface Props {
  readonly onClose: () => void;
  /** Another value for this one. */
  readonly name?: string;
}

export function SecretForm({ name: fixed, onClose }: Props) {
  const [name, setName] = useState(fixed ?? '');
  const [value, setValue] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const save = async (): Promise<void> => {
    const body = file ? { value: await base64Of(file), encoding: 'base64' } : { value };
    await send('PUT', `/secrets/${encodeURIComponent(name.trim())}`, body);
    sayDone(`${name.trim()} is set`);
    onClose();
    reloadAll();
  };
  const isShort = file
    ? file.size < SHORTEST_MASKED_BYTES
    : value !== '' && value.length < SHORTEST_MASKED_BYTES;
  return (
    <FormDialog
      title={fixed ? `Replace ${fixed}` : 'Set a secret'}
      action="Set the secret"
      command={`queuectl secret set ${shellWord(name.trim() || 'NAME')}${file ? ` < ${shellWord(file.name)}` : ''}`}
      onClose={onClose}
      onSend={save}
    >
      {!fixed && (
        <TextField
          name="name"
          label="Name"
          hint="as of a variable"
          value={name}
          onInput={setName}
          placeholder="DB_PASSWORD"
          isMono
          isRequired
          isFull
        />
      )}
      {!file && (
        <TextField
          name="value"
          label="Value"
          hint="not shown, now or later"
          value={value}
          onInput={setValue}
          isSecret
          isRequired
          isFull
        />
      )}
      <label class="field full">
        <span>
          {file ? 'From the file' : 'Or from a file'} <span class="hint">such as a key of several lines</span>
        </span>
        <input
          class="input file"
          type="file"
          onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
        />
      </label>
      {isShort && (
        <p class="full preview-problem small">
          Values of fewer than {SHORTEST_MASKED_BYTES} bytes are not hidden in the output of jobs.
        </p>
      )}
    </FormDialog>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = withoutLineEnd(new Uint8Array(await file.arrayBuffer()));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
