// Access over HTTP: users with a password, programs with a token, and the permissions of each role.

import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Token, User } from '../../core/types.ts';
import { Roles } from './roles.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';
import { UserForm } from './user-form.tsx';
import { UserTable } from './user-table.tsx';

export default function Access() {
  const isAdmin = may('admin');
  const close = (): void => setQuery({ add: '' });
  return (
    <Screen title="Users and tokens">
      {isAdmin ? <Lists /> : <Empty title="Only admins can see users and tokens" />}
      <Roles />
      {isAdmin && <SameCommands commands={COMMANDS} />}
      {isAdmin && queryOf('add') === 'user' && <UserForm onClose={close} />}
      {isAdmin && queryOf('add') === 'token' && <TokenForm onClose={close} />}
    </Screen>
  );
}

const COMMANDS = [
  'queuectl user add ann --role operator',
  'queuectl token add ci --role enqueuer --expires 90d',
];

const Lists = () => (
  <>
    <Users />
    <Tokens />
  </>
);

const AddButton = ({ what }: { what: 'user' | 'token' }) => (
  <Button icon="plus" onPress={() => setQuery({ add: what }, 'push')}>
    Add {what}
  </Button>
);

function Users() {
  const { data, error, reload } = useResource<{ users: User[] }>('/users');
  return (
    <Section title="Users" note="log in with a password" actions={<AddButton what="user" />}>
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {!data && !error && <Loading rows={2} />}
      {data?.users.length === 0 && (
        <Empty title="No users yet" command="queuectl user add ann --role operator">
          Until you add a user or a token, access requires the URL that queuectl serve prints.
        </Empty>
      )}
      {data && data.users.length > 0 && <UserTable users={data.users} />}
    </Section>
  );
}

function Tokens() {
  const { data, error, reload } = useResource<{ tokens: Token[] }>('/tokens');
  return (
    <Section title="Tokens" note="for programs" actions={<AddButton what="token" />}>
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {!data && !error && <Loading rows={2} />}
      {data?.tokens.length === 0 && (
        <Empty title="No tokens yet" command="queuectl token add ci --role enqueuer --expires 90d">
          A token gives a program access to the API, for example a build that enqueues jobs.
        </Empty>
      )}
      {data && data.tokens.length > 0 && <TokenTable tokens={data.tokens} />}
    </Section>
  );
}
