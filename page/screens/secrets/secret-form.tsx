// Sets a secret from a hidden field, or from a file, which keeps its line endings. The form does not keep the value.

import { useState } from 'preact/hooks';
import { SHORTEST_MASKED_BYTES, withoutLineEnd } from '../../../src/job/isolation/secret-value.ts';
import { TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { change } from '../../core/change.ts';
import { shellWord } from '../../core/format.ts';
import { itemHref } from '../../core/router.ts';

interface Props {
  readonly onClose: () => void;
  /** The secret to replace. */
  readonly name?: string;
}

export function SecretForm({ name: fixed, onClose }: Props) {
  const [name, setName] = useState(fixed ?? '');
  const [value, setValue] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const save = async (): Promise<void> => {
    const body = file ? { value: await base64Of(file), encoding: 'base64' } : { value };
    await change(`secret ${name.trim()} set`, 'PUT', itemHref('secrets', name.trim()), body);
    onClose();
  };
  const isShort = file ? file.size < SHORTEST_MASKED_BYTES : value !== '' && value.length < SHORTEST_MASKED_BYTES;
  return (
    <FormDialog
      title={fixed ? `Replace ${fixed}` : 'Set secret'}
      action="Set secret"
      command={`queuectl secret set ${shellWord(name.trim() || 'NAME')}${file ? ` < ${shellWord(file.name)}` : ''}`}
      onClose={onClose}
      onSend={save}
    >
      {!fixed && (
        <TextField
          name="name"
          label="Name"
          hint="like a variable name"
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
          hint="never shown"
          value={value}
          onInput={setValue}
          isSecret
          isRequired
          isFull
        />
      )}
      <label class="field full">
        <span>
          {file ? 'From the file' : 'Or from a file'} <span class="hint">for example a multi-line key</span>
        </span>
        <input class="input file" type="file" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} />
      </label>
      {isShort && (
        <p class="full preview-problem small">
          Values shorter than {SHORTEST_MASKED_BYTES} bytes are not masked in job output.
        </p>
      )}
    </FormDialog>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = withoutLineEnd(new Uint8Array(await file.arrayBuffer()));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
