// Secrets by name. Their values are never shown.

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
        Passwords and keys for jobs. Secrets are stored encrypted, passed to a job when it starts, and never
        shown: job output contains *** instead.
      </p>
      {!mayList && <Empty title="Only users who may enqueue can see secret names" />}
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled secrets={data.secrets} /> : mayList && !error && <Loading rows={4} />}
    </Screen>
  );
}

const openForm = (): void => setQuery({ set: '*' }, 'push');
const closeForm = (): void => setQuery({ set: '' });

const SetButton = () => (
  <Button kind="primary" icon="plus" onPress={openForm}>
    Set secret
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
          The command prompts for the value without showing it. Enqueue a job with --secret DB_PASSWORD to
          pass the secret in a variable or a file.
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
