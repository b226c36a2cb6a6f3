// Settings with their value, its source and the default.

import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import { isMasked, type Setting, SOURCES, valueNote, valueText } from './setting.ts';

/** A card shows the source and the default only if they differ from the value. */
const unlessDefault = (classes: string) => (setting: Setting) =>
  setting.source === 'default' ? `${classes} not-narrow` : classes;

const COLUMNS: readonly Column<Setting>[] = [
  {
    head: 'setting',
    card: 'title',
    cell: ({ key, description }) => (
      <div>
        <div class="mono name">{key}</div>
        <div class="muted small">{description}</div>
      </div>
    ),
  },
  { head: 'value', class: 'mono', cell: (setting) => <Value setting={setting} /> },
  {
    head: 'source',
    class: unlessDefault('nowrap'),
    cell: ({ source }) => <span class={`tag${source === 'default' ? '' : ' good'}`}>{SOURCES[source]}</span>,
  },
  { head: 'default', class: unlessDefault('mono muted'), cell: (setting) => valueText(setting.default) },
];

export const SettingTable = ({ settings }: { settings: readonly Setting[] }) => (
  <Table
    name="settings-table"
    columns={[
      ...COLUMNS,
      may('admin') && actions<Setting>((setting) => <RowActions setting={setting} />, 'corner'),
    ]}
    rows={settings}
    keyOf={({ key }) => key}
    keys={{ part: 'Settings', open: (setting) => may('admin') && openForm(setting) }}
  />
);

const openForm = ({ key }: Setting): void => setQuery({ change: key }, 'push');

const RowActions = ({ setting }: { setting: Setting }) => (
  <>
    {setting.source === 'stored' && (
      <Button icon="retry" label={`reset ${setting.key} to its default`} onPress={() => unset(setting)}>
        Default
      </Button>
    )}
    <Button icon="edit" label={`change ${setting.key}`} onPress={() => openForm(setting)}>
      Change
    </Button>
  </>
);

const Value = ({ setting }: { setting: Setting }) =>
  isMasked(setting) ? (
    <span class="masked muted">
      <Icon name="lock" size={14} /> secret, not shown
    </span>
  ) : (
    <span>
      <span class={setting.value === null ? 'muted' : 'value'}>{valueText(setting.value)}</span>
      {valueNote(setting) && <span class="muted small value-note">{valueNote(setting)}</span>}
    </span>
  );

export async function unset({ key }: Setting): Promise<void> {
  await send('DELETE', `/settings/${encodeURIComponent(key)}`);
  sayDone(`setting ${key} reset to its default`);
  reloadAll();
}
