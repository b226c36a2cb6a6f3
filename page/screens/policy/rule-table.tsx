// The rules of the policy with their settings.

import { Section } from '../../components/screen.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import type { Setting } from '../../core/types.ts';
import { settingActions } from '../settings/setting-table.tsx';
import { type PolicyKey, RULES } from './rules.ts';

const COLUMNS: readonly Column<Setting>[] = [
  {
    head: 'rule',
    name: 'rule',
    card: 'title',
    cell: ({ key }) => (
      <div>
        <div class="name">{RULES[key as PolicyKey].about}</div>
        <div class="mono muted small">{key}</div>
      </div>
    ),
  },
  { head: 'effect', card: 'text', cell: (setting) => <Effect setting={setting} /> },
];

export const RuleTable = ({ settings }: { settings: readonly Setting[] }) => (
  <Section title="Rules">
    <Table
      name="rules"
      columns={[...COLUMNS, settingActions()]}
      rows={settings}
      keyOf={({ key }) => key}
      areHeadsHidden
    />
  </Section>
);

function Effect({ setting: { key, value, source } }: { setting: Setting }) {
  const rule = RULES[key as PolicyKey];
  if (source === 'default' || value === null) return <span class="muted">{rule.unset}</span>;
  const { words, items = [] } = rule.describe(String(value));
  return (
    <div>
      {words}
      {items.length > 0 && (
        <ul class="rule-items mono">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
