// Access over HTTP: users with a password, programs with a token, and the permissions of each role.

import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer } from '../../core/types.ts';
import { Roles } from './roles.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';
import { UserForm } from './user-form.tsx';
import { UserTable } from './user-table.tsx';

export default function Access() {
  const close = (): void => setQuery({ add: '' });
  if (!may('admin'))
    return (
      <Screen title="Users and tokens">
        <Empty title="Only admins can see users and tokens" />
        <Roles />
      </Screen>
    );
  return (
    <Screen title="Users and tokens">
      <Users />
      <Tokens />
      <Roles />
      <SameCommands commands={['queuectl user add ann --role operator', ADD_TOKEN]} />
      {queryOf('add') === 'user' && <UserForm onClose={close} />}
      {queryOf('add') === 'token' && <TokenForm onClose={close} />}
    </Screen>
  );
}

const ADD_TOKEN = 'queuectl token add ci --role enqueuer --expires 90d';

const AddButton = ({ what }: { what: 'user' | 'token' }) => (
  <Button icon="plus" onPress={() => setQuery({ add: what }, 'push')}>
    Add {what}
  </Button>
);

const Users = () => (
  <Section title="Users" note="log in with a password" actions={<AddButton what="user" />}>
    <Loaded from={useResource<Answer<'listUsers'>>('/users')} rows={2}>
      {({ users }) =>
        users.length > 0 ? (
          <UserTable users={users} />
        ) : (
          <Empty title="No users yet" command="queuectl user add ann --role operator">
            Until you add a user or a token, access requires the URL that queuectl serve prints.
          </Empty>
        )
      }
    </Loaded>
  </Section>
);

const Tokens = () => (
  <Section title="Tokens" note="for programs" actions={<AddButton what="token" />}>
    <Loaded from={useResource<Answer<'listTokens'>>('/tokens')} rows={2}>
      {({ tokens }) =>
        tokens.length > 0 ? (
          <TokenTable tokens={tokens} />
        ) : (
          <Empty title="No tokens yet" command={ADD_TOKEN}>
            A token gives a program access to the API, for example a build that enqueues jobs.
          </Empty>
        )
      }
    </Loaded>
  </Section>
);
