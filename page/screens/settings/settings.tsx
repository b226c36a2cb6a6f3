// Settings with value, source and description.

import { Chips } from '../../components/chips.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer, Setting } from '../../core/types.ts';
import { SOURCES } from './setting.ts';
import { SettingForm } from './setting-form.tsx';
import { SettingTable } from './setting-table.tsx';

export default function Settings() {
  return (
    <Screen title="Settings">
      <p class="lead">
        Settings apply to all users of this queue, and running workers pick up changes immediately. Environment
        variables override stored settings.
      </p>
      <Loaded from={useResource<Answer<'listSettings'>>('/settings')} rows={12}>
        {({ settings }) => <Filled settings={settings} />}
      </Loaded>
    </Screen>
  );
}

function Filled({ settings }: { settings: readonly Setting[] }) {
  const [source, text] = [queryOf('from'), queryOf('find').toLowerCase()];
  const shown = settings.filter(
    (setting) => (source === '' || setting.source === source) && `${setting.key} ${setting.description}`.includes(text),
  );
  const changing = settings.find(({ key }) => key === queryOf('change'));
  return (
    <>
      <div class="screen-tools">
        <Chips name="from" label="source" chips={chipsOf(settings)} />
        <input
          class="input"
          type="search"
          aria-label="find a setting"
          placeholder="Find a setting"
          value={queryOf('find')}
          onInput={(event) => setQuery({ find: event.currentTarget.value })}
        />
      </div>
      {shown.length > 0 ? <SettingTable settings={shown} /> : <Empty title="No matching settings" />}
      <SameCommands
        commands={['queuectl config list', 'queuectl config set max_retries 5', 'queuectl config unset max_retries']}
      />
      {changing && may('admin') && <SettingForm setting={changing} onClose={() => setQuery({ change: '' })} />}
    </>
  );
}

const chipsOf = (settings: readonly Setting[]) =>
  Object.entries(SOURCES)
    .map(([value, words]) => ({
      value,
      words,
      count: settings.filter(({ source }) => source === value).length,
    }))
    .filter(({ count }) => count > 0);
