// Settings as rows.

import { Button } from '../../components/button.tsx';
import { heads, Table } from '../../components/table/table.tsx';
import { Icon } from '../../components/icon.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import { useRows } from '../../components/table/use-rows.ts';
import { isMasked, type Setting, SOURCES, valueNote, valueText } from './setting.ts';

export function SettingTable({ settings }: { settings: readonly Setting[] }) {
  const { at, body } = useRows(settings, 'Settings', (setting) => may('admin') && openForm(setting));
  return (
    <Table
      class="settings-table"
      heads={heads('setting', 'value', 'from', 'default')}
      hasActions={may('admin')}
      body={body}
    >
      {settings.map((setting, i) => (
        <Row key={setting.key} setting={setting} isAt={i === at} />
      ))}
    </Table>
  );
}

const openForm = ({ key }: Setting): void => setQuery({ change: key }, 'push');

const Row = ({ setting, isAt }: { setting: Setting; isAt: boolean }) => (
  <tr data-at={isAt} data-source={setting.source}>
    <td class="card-title">
      <div>
        <div class="mono name">{setting.key}</div>
        <div class="muted small">{setting.means}</div>
      </div>
    </td>
    <td class="mono" data-label="value">
      <Value setting={setting} />
    </td>
    <td class="nowrap from" data-label="from">
      <span class={`tag${setting.source === 'default' ? '' : ' good'}`}>{SOURCES[setting.source]}</span>
    </td>
    <td class="mono muted standard" data-label="default">
      {valueText(setting.default)}
    </td>
    {may('admin') && (
      <td class="narrow card-corner">
        <div class="row-actions">
          {setting.source === 'stored' && (
            <Button
              icon="retry"
              label={`set ${setting.key} back to its default`}
              onPress={() => unset(setting)}
            >
              Default
            </Button>
          )}
          <Button icon="edit" label={`change ${setting.key}`} onPress={() => openForm(setting)}>
            Change
          </Button>
        </div>
      </td>
    )}
  </tr>
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
  sayDone(`${key} is back to its default`);
  reloadAll();
}
