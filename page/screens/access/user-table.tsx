// Users by name.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';
import type { User } from '../../core/types.ts';
import { RolesNote } from './roles.tsx';

const COLUMNS: readonly Column<User>[] = [
  { head: 'user', card: 'title', class: 'name', cell: ({ name }) => name },
  { head: 'role', cell: ({ role }) => <RolesNote role={role} /> },
  { head: 'added', cell: ({ created_at }) => <When at={created_at} /> },
  { head: 'by', class: 'muted', cell: ({ created_by }) => created_by },
  actions(
    (user) => (
      <Button icon="trash" kind="danger" label={`delete ${user.name}`} onPress={() => askToDelete(user)}>
        Delete
      </Button>
    ),
    'corner',
  ),
];

export const UserTable = ({ users }: { users: readonly User[] }) => (
  <Table columns={COLUMNS} rows={users} keyOf={({ name }) => name} />
);

const askToDelete = ({ name }: User): void =>
  confirm({
    title: `Delete ${name}?`,
    text: <p>{name} can no longer log in, and open sessions end immediately.</p>,
    action: 'Delete the user',
    isDangerous: true,
    run: async () => {
      await send('DELETE', `/users/${encodeURIComponent(name)}`);
      sayDone(`user ${name} deleted`);
      reloadAll();
    },
  });
