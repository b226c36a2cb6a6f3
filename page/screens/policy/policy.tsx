// The policy: its rules, a check for a command, and rejected jobs.

import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { hasRole, may } from '../../core/session.ts';
import type { Answer, Setting } from '../../core/types.ts';
import { SettingForm } from '../settings/setting-form.tsx';
import { PolicyCheck } from './check.tsx';
import { isOfPolicy, RULES } from './rules.ts';
import { Rejections } from './rejections.tsx';
import { RuleTable } from './rule-table.tsx';

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
