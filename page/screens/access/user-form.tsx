// Creates a user.

import { useState } from 'preact/hooks';
import type { Role } from '../../../src/server/role.ts';
import { ChoiceField, TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { send } from '../../core/api.ts';
import { shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';
import { ROLE_CHOICES } from './roles.tsx';

export function UserForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [password, setPassword] = useState('');
  const add = async (): Promise<void> => {
    await send('POST', '/users', { name: name.trim(), role, password });
    sayDone(`user ${name} added`);
    onClose();
    reloadAll();
  };
  return (
    <FormDialog
      title="Add user"
      action="Add user"
      command={`queuectl user add ${shellWord(name.trim() || 'NAME')} --role ${role}`}
      onClose={onClose}
      onSend={add}
    >
      <TextField label="Name" value={name} onInput={setName} placeholder="ann" isRequired />
      <TextField label="Password" value={password} onInput={setPassword} isSecret isRequired />
      <ChoiceField label="Role" value={role} choices={ROLE_CHOICES} onChoose={setRole} isFull />
    </FormDialog>
  );
}
