// Settings with value, source and description.

import { Chips } from '../../components/chips.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { type Setting, SOURCES } from './setting.ts';
import { SettingForm } from './setting-form.tsx';
import { SettingTable } from './setting-table.tsx';

export default function Settings() {
  const { data, error, reload } = useResource<{ settings: Setting[] }>('/settings');
  return (
    <Screen title="Settings">
      <p class="lead">
        Settings apply to all users of this queue, and running workers pick up changes immediately.
        Environment variables override stored settings.
      </p>
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled settings={data.settings} /> : !error && <Loading rows={12} />}
    </Screen>
  );
}

function Filled({ settings }: { settings: readonly Setting[] }) {
  const [source, text] = [queryOf('from'), queryOf('find').toLowerCase()];
  const shown = settings.filter(
    (setting) =>
      (source === '' || setting.source === source) && `${setting.key} ${setting.description}`.includes(text),
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
        commands={[
          'queuectl config list',
          'queuectl config set max_retries 5',
          'queuectl config unset max_retries',
        ]}
      />
      {changing && may('admin') && (
        <SettingForm setting={changing} onClose={() => setQuery({ change: '' })} />
      )}
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
