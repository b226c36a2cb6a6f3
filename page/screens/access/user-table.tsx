// Users by name.

import { DeleteButton } from '../../components/delete-button.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import type { User } from '../../core/types.ts';
import { RoleTag } from './roles.tsx';

const COLUMNS: readonly Column<User>[] = [
  { head: 'user', card: 'title', class: 'name', cell: ({ name }) => name },
  { head: 'role', cell: ({ role }) => <RoleTag role={role} /> },
  { head: 'added', cell: ({ created_at }) => <When at={created_at} /> },
  { head: 'by', class: 'muted', cell: ({ created_by }) => created_by },
  actions(
    ({ name }) => (
      <DeleteButton
        noun="user"
        name={name}
        consequence={`${name} can no longer log in, and open sessions end immediately.`}
        isInRow
        hasText
      />
    ),
    'corner',
  ),
];

export const UserTable = ({ users }: { users: readonly User[] }) => (
  <Table columns={COLUMNS} rows={users} keyOf={({ name }) => name} />
);
