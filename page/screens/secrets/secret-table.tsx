// Secrets by name.

import { DeleteButton } from '../../components/delete-button.tsx';
import { Button } from '../../components/button.tsx';
import { WhenAndAgo } from '../../components/facts.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { itemHref, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Schedule, Secret } from '../../core/types.ts';
import { secretIn } from '../../isolation/given.ts';

interface Props {
  readonly secrets: readonly Secret[];
  readonly schedules: readonly Schedule[];
}

const columnsFor = (schedules: readonly Schedule[]): readonly Column<Secret>[] => [
  { head: 'secret', card: 'title', class: 'mono name', cell: ({ name }) => name },
  {
    head: 'set',
    class: 'nowrap',
    cell: ({ created_at }) => (
      <span>
        <WhenAndAgo at={created_at} />
      </span>
    ),
  },
  { head: 'by', class: 'muted', cell: ({ created_by }) => created_by },
  {
    head: 'on the server’s host',
    cell: ({ is_readable }) =>
      is_readable ? (
        <span class="tag good">readable</span>
      ) : (
        <span class="tag bad">encryption key missing or different</span>
      ),
  },
  { head: 'used by schedules', cell: (secret) => <Users schedules={usersOf(secret, schedules)} /> },
];

export const SecretTable = ({ secrets, schedules }: Props) => (
  <Table
    name="secrets-table"
    columns={[...columnsFor(schedules), may('admin') && actions<Secret>((secret) => <RowActions secret={secret} />)]}
    rows={secrets}
    keyOf={({ name }) => name}
    keys={{ part: 'Secrets', open: (secret) => may('admin') && openForm(secret) }}
  />
);

const openForm = ({ name }: Secret): void => setQuery({ set: name }, 'push');

const usersOf = ({ name }: Secret, schedules: readonly Schedule[]): Schedule[] =>
  schedules.filter(({ job }) => ((job.secrets ?? []) as string[]).some((use) => secretIn(use) === name));

const Users = ({ schedules }: { schedules: readonly Schedule[] }) => (
  <span>
    {schedules.length === 0 && <span class="muted">none</span>}
    {schedules.map(({ name }) => (
      <a key={name} class="link fact-link" href={itemHref('schedules', name)}>
        {name}
      </a>
    ))}
  </span>
);

const RowActions = ({ secret }: { secret: Secret }) => (
  <>
    <Button icon="edit" label={`replace ${secret.name}`} onPress={() => openForm(secret)}>
      Replace
    </Button>
    <DeleteButton
      noun="secret"
      name={secret.name}
      consequence="Jobs that need this secret fail when they start. A deleted secret cannot be restored."
      isInRow
      hasText
    />
  </>
);
