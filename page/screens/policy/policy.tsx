// The policy: its rules, a check for a command, and rejected jobs.

import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { hasRole, may } from '../../core/session.ts';
import type { ActivityEntry, Answer, Setting } from '../../core/types.ts';
import { SettingForm } from '../settings/setting-form.tsx';
import { PolicyCheck } from './check.tsx';
import { isOfPolicy, RULES } from './rules.ts';
import { RuleTable } from './rule-table.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';

export default function Policy() {
  return (
    <Screen title="Policy">
      <p class="lead">
        The policy controls which commands may run, where, and for whom. It applies to all users, when a job is enqueued
        and again before it starts.
      </p>
      <Loaded from={useResource<Answer<'listSettings'>>('/settings')}>
        {({ settings }) => <Filled settings={settings.filter(isOfPolicy)} />}
      </Loaded>
    </Screen>
  );
}

function Filled({ settings }: { settings: readonly Setting[] }) {
  const changing = settings.find(({ key }) => key === queryOf('change'));
  const hasPolicy = settings.some(({ source }) => source !== 'default');
  return (
    <>
      {!hasPolicy && (
        <Empty title="No policy: any command may run" command={RULES.policy_shell.example}>
          Set a policy if several users enqueue jobs. A good start is to reject shell commands and allow only programs
          with arguments:
        </Empty>
      )}
      <RuleTable settings={settings} />
      {hasRole('enqueuer') && <PolicyCheck />}
      <Rejections />
      <SameCommands
        commands={[
          'queuectl policy show',
          'queuectl policy check -- convert a.png b.jpg',
          RULES.policy_programs.example,
          RULES.policy_recipes_only.example,
        ]}
      />
      {changing && may('admin') && <SettingForm setting={changing} onClose={() => setQuery({ change: '' })} />}
    </>
  );
}

/** Only the latest entries are searched; the activity screen has all of them. */
const SEARCHED = '/activity?limit=500';
const SHOWN = 12;

const COLUMNS: readonly Column<ActivityEntry>[] = [
  {
    head: 'user',
    card: 'title',
    class: 'nowrap',
    cell: ({ actor, via }) => (
      <>
        {actor} {via === 'worker' && <span class="tag">before the start</span>}
      </>
    ),
  },
  { head: 'reason', card: 'text', cell: ({ detail }) => String(detail?.reason ?? '') },
  { head: 'job', cell: ({ target }) => target && <JobLink id={target} /> },
  { head: 'when', isRight: true, class: 'muted nowrap', cell: ({ at }) => <Ago at={at} /> },
];

function Rejections() {
  const { data } = useResource<Answer<'listActivity'>>(SEARCHED);
  const rejections = data?.activity.filter(({ action }) => action === 'rejected') ?? [];
  return (
    <Section
      title="Rejected jobs"
      note={rejections.length > SHOWN ? `the latest ${SHOWN}` : ''}
      actions={
        <a class="link small" href="/activity">
          all activity
        </a>
      }
    >
      <Table
        columns={COLUMNS}
        rows={rejections.slice(0, SHOWN)}
        keyOf={({ seq }) => String(seq)}
        empty={<p class="muted wait-reason">No jobs were rejected lately.</p>}
      />
    </Section>
  );
}
