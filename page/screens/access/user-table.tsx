// Users by name.

import { askToDelete } from '../../components/ask-to-delete.tsx';
import { Button } from '../../components/button.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import { itemHref } from '../../core/router.ts';
import type { User } from '../../core/types.ts';
import { RoleTag } from './roles.tsx';

const COLUMNS: readonly Column<User>[] = [
  { head: 'user', card: 'title', class: 'name', cell: ({ name }) => name },
  { head: 'role', cell: ({ role }) => <RoleTag role={role} /> },
  { head: 'added', cell: ({ created_at }) => <When at={created_at} /> },
  { head: 'by', class: 'muted', cell: ({ created_by }) => created_by },
  actions(
    (user) => (
      <Button icon="trash" kind="danger" label={`delete ${user.name}`} onPress={() => askToDeleteUser(user)}>
        Delete
      </Button>
    ),
    'corner',
  ),
];

export const UserTable = ({ users }: { users: readonly User[] }) => (
  <Table columns={COLUMNS} rows={users} keyOf={({ name }) => name} />
);

const askToDeleteUser = ({ name }: User): void =>
  askToDelete({
    noun: 'user',
    name,
    path: itemHref('users', name),
    consequence: `${name} can no longer log in, and open sessions end immediately.`,
  });
