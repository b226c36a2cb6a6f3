// The rules of the policy with their settings.

import { Button } from '../../components/button.tsx';
import { Section } from '../../components/screen.tsx';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Setting } from '../settings/setting.ts';
import { unset } from '../settings/setting-table.tsx';
import { type PolicyKey, RULES } from './rules.ts';

export const RuleList = ({ settings }: { settings: readonly Setting[] }) => (
  <Section title="Rules">
    <dl class="rules">
      {settings.map((setting) => (
        <Rule key={setting.key} setting={setting} />
      ))}
    </dl>
  </Section>
);

function Rule({ setting }: { setting: Setting }) {
  const { key, value, source } = setting;
  const rule = RULES[key as PolicyKey];
  const isSaid = source !== 'default' && value !== null;
  const { words, items = [] } = isSaid ? rule.says(String(value)) : { words: rule.unsaid };
  return (
    <div data-said={isSaid}>
      <dt>
        {rule.about}
        <span class="mono muted small">{key}</span>
      </dt>
      <dd>
        <p class={isSaid ? '' : 'muted'}>{words}</p>
        {items.length > 0 && (
          <ul class="rule-items mono">
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
      </dd>
      {may('admin') && (
        <dd class="row-actions">
          {source === 'stored' && (
            <Button icon="retry" label={`reset ${key}`} onPress={() => unset(setting)}>
              Reset
            </Button>
          )}
          <Button icon="edit" label={`change ${key}`} onPress={() => setQuery({ change: key }, 'push')}>
            Change
          </Button>
        </dd>
      )}
    </div>
  );
}
