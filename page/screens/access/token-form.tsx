// Creates a token. Its secret is shown once, until the dialog closes.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { CommandLine } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField, TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { send } from '../../core/api.ts';
import { shellWord } from '../../core/format.ts';
import { reloadAll } from '../../core/resource.ts';
import type { Answer, Role } from '../../core/types.ts';
import { ROLE_CHOICES } from './roles.tsx';

type NewToken = Answer<'addToken'>;

export function TokenForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [expires, setExpires] = useState('90d');
  const [made, setMade] = useState<NewToken | null>(null);
  const add = async (): Promise<void> => {
    const body = { name: name.trim(), role, ...(expires.trim() && { expires: expires.trim() }) };
    setMade(await send<NewToken>('POST', '/tokens', body));
    reloadAll();
  };
  if (made) return <Secret token={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Add token"
      action="Add token"
      command={commandOf(name, role, expires)}
      onClose={onClose}
      onSend={add}
    >
      <TextField label="Name" hint="purpose" value={name} onInput={setName} placeholder="ci" isRequired />
      <TextField label="Expires after" hint="empty: never" value={expires} onInput={setExpires} placeholder="never" />
      <ChoiceField label="Role" value={role} choices={ROLE_CHOICES} onChoose={setRole} isFull />
    </FormDialog>
  );
}

const commandOf = (name: string, role: Role, expires: string): string =>
  `queuectl token add ${shellWord(name.trim() || 'NAME')} --role ${role}${
    expires.trim() && ` --expires ${shellWord(expires.trim())}`
  }`;

const Secret = ({ token, onClose }: { token: NewToken; onClose: () => void }) => (
  <Dialog title={`Token ${token.name}`} onClose={onClose}>
    <div class="dialog-text">
      <p>Copy the secret now. It is not shown again; the server stores only a hash.</p>
      <CommandLine command={token.secret} />
      <p class="muted">Send it with each request:</p>
      <CommandLine command={`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/api/v1/stats`} />
    </div>
    <footer class="dialog-foot">
      <Button kind="primary" onPress={onClose}>
        Done
      </Button>
    </footer>
  </Dialog>
);
