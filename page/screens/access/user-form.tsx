// Creates a user.

import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { change } from '../../core/change.ts';
import { shellWord } from '../../core/format.ts';
import type { Role } from '../../core/types.ts';
import { ROLE_CHOICES } from './roles.tsx';

export function UserForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [password, setPassword] = useState('');
  const add = async (): Promise<void> => {
    await change(`user ${name.trim()} added`, 'POST', '/users', { name: name.trim(), role, password });
    onClose();
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
