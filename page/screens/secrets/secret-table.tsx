// Secrets as rows, by name.

import { Button } from '../../components/button.tsx';
import { heads, Table } from '../../components/table/table.tsx';
import { confirm } from '../../components/dialog.tsx';
import { Ago, When } from '../../components/time.tsx';
import { secretIn } from '../../isolation/given.ts';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Schedule, Secret } from '../../core/types.ts';
import { useRows } from '../../components/table/use-rows.ts';

interface Props {
  readonly secrets: readonly Secret[];
  readonly schedules: readonly Schedule[];
}

export function SecretTable({ secrets, schedules }: Props) {
  const { at, body } = useRows(secrets, 'Secrets', (secret) => may('admin') && openForm(secret));
  return (
    <Table
      class="secrets-table"
      heads={heads('secret', 'set', 'by', 'on the server’s host', 'used by schedules')}
      hasActions={may('admin')}
      body={body}
    >
      {secrets.map((secret, i) => (
        <Row key={secret.name} secret={secret} users={usersOf(secret, schedules)} isAt={i === at} />
      ))}
    </Table>
  );
}

const openForm = ({ name }: Secret): void => setQuery({ set: name }, 'push');

const usersOf = ({ name }: Secret, schedules: readonly Schedule[]): Schedule[] =>
  schedules.filter(({ job }) => ((job.secrets ?? []) as string[]).some((use) => secretIn(use) === name));

const Row = ({ secret, users, isAt }: { secret: Secret; users: readonly Schedule[]; isAt: boolean }) => (
  <tr data-at={isAt}>
    <td class="mono name card-title">{secret.name}</td>
    <td class="nowrap" data-label="set">
      <span>
        <When at={secret.created_at} />{' '}
        <span class="muted">
          · <Ago at={secret.created_at} />
        </span>
      </span>
    </td>
    <td data-label="by" class="muted">
      {secret.created_by}
    </td>
    <td data-label="on the server’s host">
      {secret.is_readable ? (
        <span class="tag good">readable</span>
      ) : (
        <span class="tag bad">its key is missing, or another one</span>
      )}
    </td>
    <td data-label="used by schedules">
      <span>
        {users.length === 0 && <span class="muted">none</span>}
        {users.map(({ name }) => (
          <a key={name} class="link fact-link" href={`/schedules/${encodeURIComponent(name)}`}>
            {name}
          </a>
        ))}
      </span>
    </td>
    {may('admin') && (
      <td class="narrow">
        <div class="row-actions">
          <Button icon="edit" label={`replace ${secret.name}`} onPress={() => openForm(secret)}>
            Replace
          </Button>
          <Button
            icon="trash"
            kind="danger"
            label={`remove ${secret.name}`}
            onPress={() => askToRemove(secret)}
          >
            Remove
          </Button>
        </div>
      </td>
    )}
  </tr>
);

const askToRemove = ({ name }: Secret): void =>
  confirm({
    title: `Remove the secret ${name}?`,
    text: <p>Jobs that need it fail at their start from now on. What is gone cannot be shown again.</p>,
    action: 'Remove the secret',
    isDangerous: true,
    run: async () => {
      await send('DELETE', `/secrets/${encodeURIComponent(name)}`);
      sayDone(`${name} is removed`);
      reloadAll();
    },
  });
