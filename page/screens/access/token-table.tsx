// Tokens. The list never contains their secrets, which only the creating response shows.

import { DeleteButton } from '../../components/delete-button.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago, When } from '../../components/time.tsx';
import { now } from '../../core/clock.ts';
import type { Token } from '../../core/types.ts';
import { RoleTag } from './roles.tsx';

const COLUMNS: readonly Column<Token>[] = [
  {
    head: 'token',
    card: 'title',
    cell: ({ name, id }) => (
      <span>
        <span class="name">{name}</span> <span class="muted small mono">{id}</span>
      </span>
    ),
  },
  { head: 'role', cell: ({ role }) => <RoleTag role={role} /> },
  { head: 'last used', cell: ({ last_used_at }) => <Ago at={last_used_at} none="never" /> },
  { head: 'expires', cell: ({ expires_at }) => <Expires at={expires_at} /> },
  { head: 'added', cell: ({ created_at }) => <When at={created_at} /> },
  { head: 'by', class: 'muted', cell: ({ created_by }) => created_by },
  actions(
    ({ id, name }) => (
      <DeleteButton
        noun="token"
        name={name}
        id={id}
        consequence="Programs that use this token lose access immediately."
        isInRow
        hasText
      />
    ),
    'corner',
  ),
];

export const TokenTable = ({ tokens }: { tokens: readonly Token[] }) => (
  <Table columns={COLUMNS} rows={tokens} keyOf={({ id }) => id} />
);

const Expires = ({ at }: { at: string | null }) =>
  at !== null && Date.parse(at) < now.value ? <span class="tag bad">expired</span> : <Ago at={at} none="never" />;
