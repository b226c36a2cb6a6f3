// The secrets by name: who set which, whether it can be opened here, and which schedules use it. Values only go in.

import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Schedule, Secret } from '../../core/types.ts';
import { SecretForm } from './secret-form.tsx';
import { SecretTable } from './secret-table.tsx';

export default function Secrets() {
  const mayList = may('enqueuer');
  const { data, error, reload } = useResource<{ secrets: Secret[] }>(mayList ? '/secrets' : null);
  useKeys([{ keys: 'n', does: 'set a secret', part: 'Secrets', run: () => may('admin') && openForm() }]);
  return (
    <Screen title="Secrets" actions={may('admin') && <SetButton />}>
      <p class="lead">
        Passwords and keys for jobs that name them. They are stored sealed, handed to the job when it starts,
        and shown to nobody: in what the job writes they become ***.
      </p>
      {!mayList && <Empty title="Only those who may enqueue see the names of secrets" />}
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled secrets={data.secrets} /> : mayList && !error && <Loading rows={4} />}
    </Screen>
  );
}

const openForm = (): void => setQuery({ set: '*' }, 'push');
const closeForm = (): void => setQuery({ set: '' });

const SetButton = () => (
  <Button kind="primary" icon="plus" onPress={openForm}>
    Set a secret
  </Button>
);

function Filled({ secrets }: { secrets: readonly Secret[] }) {
  const { data } = useResource<{ schedules: Schedule[] }>('/schedules');
  const replaced = secrets.find(({ name }) => name === queryOf('set'));
  return (
    <>
      {secrets.length > 0 ? (
        <SecretTable secrets={secrets} schedules={data?.schedules ?? []} />
      ) : (
        <Empty title="No secrets yet" command="queuectl secret set DB_PASSWORD">
          The command asks for the value without showing it. A job gets it with --secret DB_PASSWORD, in a
          variable or in a file.
        </Empty>
      )}
      {secrets.length > 0 && (
        <SameCommands
          commands={[
            'queuectl secret list',
            'queuectl secret set DB_PASSWORD',
            'queuectl enqueue --secret DB_PASSWORD ./backup.sh',
            'queuectl enqueue --secret SSH_KEY:file ./deploy.sh',
          ]}
        />
      )}
      {queryOf('set') !== '' && may('admin') && (
        <SecretForm {...(replaced && { name: replaced.name })} onClose={closeForm} />
      )}
    </>
  );
}
