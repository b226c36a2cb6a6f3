// The policy: its rules, a check for a command, and rejected jobs.

import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { hasRole, may } from '../../core/session.ts';
import type { Setting } from '../settings/setting.ts';
import { SettingForm } from '../settings/setting-form.tsx';
import { PolicyCheck } from './check.tsx';
import { isOfPolicy, RULES } from './rules.ts';
import { Refusals } from './refusals.tsx';
import { RuleList } from './rule-list.tsx';

export default function Policy() {
  const { data, error, reload } = useResource<{ settings: Setting[] }>('/settings');
  return (
    <Screen title="Policy">
      <p class="lead">
        The policy controls which commands may run, where, and for whom. It applies to all users, when a job
        is enqueued and again before it starts.
      </p>
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled settings={data.settings.filter(isOfPolicy)} /> : !error && <Loading />}
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
          Set a policy if several users enqueue jobs. A good start is to reject shell commands and allow only
          programs with arguments:
        </Empty>
      )}
      <RuleList settings={settings} />
      {hasRole('enqueuer') && <PolicyCheck />}
      <Refusals />
      <SameCommands
        commands={[
          'queuectl policy show',
          'queuectl policy check -- convert a.png b.jpg',
          RULES.policy_programs.example,
          RULES.policy_recipes_only.example,
        ]}
      />
      {changing && may('admin') && (
        <SettingForm setting={changing} onClose={() => setQuery({ change: '' })} />
      )}
    </>
  );
}
