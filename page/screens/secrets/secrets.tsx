// Secrets by name. Their values are never shown.

import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer, Secret } from '../../core/types.ts';
import { SecretForm } from './secret-form.tsx';
import { SecretTable } from './secret-table.tsx';

export default function Secrets() {
  const mayList = may('enqueuer');
  const secrets = useResource<Answer<'listSecrets'>>(mayList ? '/secrets' : null);
  useKeys([{ keys: 'n', does: 'set a secret', part: 'Secrets', run: () => may('admin') && openForm() }]);
  return (
    <Screen
      title="Secrets"
      actions={
        may('admin') && (
          <Button kind="primary" icon="plus" onPress={openForm}>
            Set secret
          </Button>
        )
      }
    >
      <p class="lead">
        Passwords and keys for jobs. Secrets are stored encrypted, passed to a job when it starts, and never shown: job
        output contains *** instead.
      </p>
      {mayList ? (
        <Loaded from={secrets} rows={4}>
          {({ secrets }) => <Filled secrets={secrets} />}
        </Loaded>
      ) : (
        <Empty title="Only users who may enqueue can see secret names" />
      )}
    </Screen>
  );
}

const openForm = (): void => setQuery({ set: '*' }, 'push');
const closeForm = (): void => setQuery({ set: '' });

function Filled({ secrets }: { secrets: readonly Secret[] }) {
  const { data } = useResource<Answer<'listSchedules'>>('/schedules');
  const replaced = secrets.find(({ name }) => name === queryOf('set'));
  return (
    <>
      {secrets.length > 0 ? (
        <>
          <SecretTable secrets={secrets} schedules={data?.schedules ?? []} />
          <SameCommands
            commands={[
              'queuectl secret list',
              'queuectl secret set DB_PASSWORD',
              'queuectl enqueue --secret DB_PASSWORD ./backup.sh',
              'queuectl enqueue --secret SSH_KEY:file ./deploy.sh',
            ]}
          />
        </>
      ) : (
        <Empty title="No secrets yet" command="queuectl secret set DB_PASSWORD">
          The command prompts for the value without showing it. Enqueue a job with --secret DB_PASSWORD to pass the
          secret in a variable or a file.
        </Empty>
      )}
      {queryOf('set') !== '' && may('admin') && (
        <SecretForm {...(replaced && { name: replaced.name })} onClose={closeForm} />
      )}
    </>
  );
}
