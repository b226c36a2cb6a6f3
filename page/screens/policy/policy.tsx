// The policy: what may run here, in words; whether a command would be let in; and what was refused.

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
        What may run in this queue, where and for whom. It is asked when a job comes in, whichever way, and
        once more before it starts; it holds for everybody.
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
        <Empty title="There is no policy: any command may run" command={RULES.policy_shell.example}>
          A queue that several people feed is safer with one. To begin with, let programs run with their
          arguments, and no shell:
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
