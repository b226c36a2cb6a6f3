// One group: how far it is, what failed in it, what runs, and what can be done with all of it.

import { Button } from '../../components/button.tsx';
import { CommandLine } from '../../components/copy.tsx';
import { confirm } from '../../components/dialog.tsx';
import { Loading, Problem } from '../../components/feedback.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { State } from '../../components/state.tsx';
import { send } from '../../core/api.ts';
import { commandText, count, counted } from '../../core/format.ts';
import { reloadAll, useResource } from '../../core/resource.ts';
import { hrefOf, navigate, type Parameters } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import { type GroupDetails, STATES } from '../../core/types.ts';
import { RerunButton } from '../graph/rerun.tsx';
import { GroupProgress, TimeLeft } from './progress.tsx';

const pathOf = (name: string): string => `/groups/${encodeURIComponent(name)}`;

export default function GroupScreen({ parameters }: { parameters: Parameters }) {
  const name = parameters.name ?? '';
  const { data, error, reload } = useResource<GroupDetails>(pathOf(name));
  const group = data?.name === name ? data : undefined;
  return (
    <Screen title={name} actions={group && <Actions group={group} />}>
      {error && !group ? (
        <Problem error={error} onRetry={reload} />
      ) : group ? (
        <Filled group={group} />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

function Filled({ group }: { group: GroupDetails }) {
  return (
    <>
      <div class="group-head">
        <GroupProgress group={group} />
        <span class="muted">
          <TimeLeft group={group} />
        </span>
      </div>
      <ul class="group-counts">
        {STATES.filter((state) => group[state] > 0).map((state) => (
          <li key={state}>
            <a href={hrefOf('/jobs', { filter: `group:${group.name} state:${state}` })}>
              <State state={state} note={count(group[state])} />
            </a>
          </li>
        ))}
      </ul>
      <Members title="Failed" jobs={group.failed_jobs} />
      <Members title="Running" jobs={group.running_jobs} />
      <Section title="The same at the command line">
        <CommandLine command={`queuectl group show ${group.name}`} />
      </Section>
    </>
  );
}

function Members({ title, jobs }: { title: string; jobs: GroupDetails['failed_jobs'] }) {
  if (jobs.length === 0) return null;
  return (
    <Section title={title}>
      <div class="table-frame">
        <table class="table">
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id}>
                <td class="narrow">
                  <State state={job.state} />
                </td>
                <td class="narrow">
                  <a class="mono link" href={`/jobs/${encodeURIComponent(job.id)}`}>
                    {job.id}
                  </a>
                </td>
                <td class="mono stretch">
                  <div class="cut">{commandText(job.command)}</div>
                </td>
                <td class="stretch muted">
                  <div class="cut">{job.last_error}</div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Actions({ group }: { group: GroupDetails }) {
  const failed = group.dead + group.failed + group.cancelled;
  return (
    <>
      <a class="button" href={`${pathOf(group.name)}/graph`}>
        Graph
      </a>
      <a class="button" href={hrefOf('/jobs', { filter: `group:${group.name}` })}>
        {counted(group.total, 'job')}
      </a>
      {may('operator') && failed > 0 && (
        <Button icon="retry" onPress={() => act(group.name, 'retry', 'runs again')}>
          Retry what failed
        </Button>
      )}
      {group.ended > 0 && <RerunButton target={`group:${group.name}`} />}
      {may('operator') && group.outcome === null && (
        <Button
          icon="cancel"
          onPress={() => askTo('Cancel', group, () => act(group.name, 'cancel', 'is cancelled'))}
        >
          Cancel
        </Button>
      )}
      {may('operator') && group.outcome !== null && (
        <Button
          icon="trash"
          kind="danger"
          label="Delete"
          onPress={() => askTo('Delete', group, () => remove(group.name))}
        />
      )}
    </>
  );
}

async function act(name: string, verb: string, done: string): Promise<void> {
  const { changed } = await send<{ changed: number }>('POST', `${pathOf(name)}/${verb}`);
  sayDone(`${name} ${done}: ${counted(changed, 'job')}`);
  reloadAll();
}

async function remove(name: string): Promise<void> {
  await send('DELETE', pathOf(name));
  sayDone(`${name} is deleted`);
  navigate('/groups');
}

const askTo = (verb: string, { name, total, ended }: GroupDetails, run: () => Promise<void>): void =>
  confirm({
    title: `${verb} ${name}?`,
    text: (
      <p>
        {verb === 'Cancel'
          ? `${counted(total - ended, 'job')} that have not ended.`
          : `${counted(total, 'job')} with their history and output. This cannot be undone.`}
      </p>
    ),
    action: `${verb} ${counted(verb === 'Cancel' ? total - ended : total, 'job')}`,
    isDangerous: true,
    run,
  });
