// A group with its progress, failed and running jobs, and actions on all of its jobs.

import { DeleteButton } from '../../components/delete-button.tsx';
import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { State } from '../../components/state.tsx';
import { commandColumn, errorColumn, idColumn, stateColumn } from '../../components/table/columns.tsx';
import { Table } from '../../components/table/table.tsx';
import { change } from '../../core/change.ts';
import { count, counted } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, itemHref, type Parameters } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { type GroupDetails, STATES } from '../../core/types.ts';
import { RerunButton } from '../graph/rerun.tsx';
import { GroupProgress, TimeLeft } from './progress.tsx';

export default function GroupScreen({ parameters }: { parameters: Parameters }) {
  const name = parameters.name ?? '';
  const { data, error, reload } = useResource<GroupDetails>(itemHref('groups', name));
  const group = data?.name === name ? data : undefined;
  return (
    <Screen title={name} actions={group && <Actions group={group} />}>
      {error && !group ? <Problem error={error} onRetry={reload} /> : group ? <Filled group={group} /> : <Loading />}
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
      <SameCommands commands={[`queuectl group show ${group.name}`]} />
    </>
  );
}

const Members = ({ title, jobs }: { title: string; jobs: GroupDetails['failed_jobs'] }) =>
  jobs.length === 0 ? null : (
    <Section title={title}>
      <Table
        columns={[stateColumn, idColumn, commandColumn, errorColumn]}
        rows={jobs}
        keyOf={({ id }) => id}
        narrow="scroll"
        areHeadsHidden
      />
    </Section>
  );

function Actions({ group }: { group: GroupDetails }) {
  const failed = group.dead + group.failed + group.cancelled;
  return (
    <>
      <a class="button" href={`${itemHref('groups', group.name)}/graph`}>
        Graph
      </a>
      <a class="button" href={hrefOf('/jobs', { filter: `group:${group.name}` })}>
        {counted(group.total, 'job')}
      </a>
      {may('operator') && failed > 0 && (
        <Button icon="retry" onPress={() => act(group.name, 'retry', 'retried')}>
          Retry failed jobs
        </Button>
      )}
      {group.ended > 0 && <RerunButton target={`group:${group.name}`} />}
      {may('operator') && group.outcome === null && (
        <Button icon="cancel" onPress={() => askToCancel(group)}>
          Cancel
        </Button>
      )}
      {may('operator') && group.outcome !== null && (
        <DeleteButton
          noun="group"
          name={group.name}
          consequence={`Deletes ${counted(group.total, 'job')} with history and output. This cannot be undone.`}
        />
      )}
    </>
  );
}

const act = (name: string, verb: string, done: string): Promise<unknown> =>
  change<{ changed: number }>(
    ({ changed }) => `${counted(changed, 'job')} of group ${name} ${done}`,
    'POST',
    `${itemHref('groups', name)}/${verb}`,
  );

const askToCancel = ({ name, total, ended }: GroupDetails): void =>
  confirm({
    title: `Cancel ${name}?`,
    text: <p>Cancels {counted(total - ended, 'unfinished job')}.</p>,
    action: `Cancel ${counted(total - ended, 'job')}`,
    isDangerous: true,
    run: () => act(name, 'cancel', 'cancelled'),
  });
