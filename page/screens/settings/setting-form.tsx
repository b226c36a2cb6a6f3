// Changes a setting.

import { useState } from 'preact/hooks';
import { TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { sentence } from '../../core/sentence.ts';
import { send } from '../../core/api.ts';
import { shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';
import { isMasked, isSecret, type Setting, valueText } from './setting.ts';

export function SettingForm({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const [value, setValue] = useState(isMasked(setting) ? '' : valueText(setting.value));
  const { key } = setting;
  const save = async (): Promise<void> => {
    await send('PUT', `/settings/${encodeURIComponent(key)}`, { value });
    sayDone(`setting ${key} changed`);
    onClose();
    reloadAll();
  };
  return (
    <FormDialog
      title={`Change ${key}`}
      action="Save"
      command={`queuectl config set ${key} ${isSecret(setting) ? '…' : shellWord(value || 'VALUE')}`}
      onClose={onClose}
      onSend={save}
    >
      <p class="full muted">{sentence(setting.description)}.</p>
      <TextField
        label="Value"
        hint={`default: ${valueText(setting.default)}`}
        value={value}
        onInput={setValue}
        isSecret={isSecret(setting)}
        isFull
        isMono
        isRequired
      />
      {['environment', 'flag'].includes(setting.source) && (
        <p class="full preview-problem">
          The server’s environment sets this to {valueText(setting.value)}, which overrides the stored value.
        </p>
      )}
    </FormDialog>
  );
}
