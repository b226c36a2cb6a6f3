// Problems and how to solve them, worst first; or one line if there are none.

import { CommandLine } from '../../components/copy.tsx';
import { sentence } from '../../core/sentence.ts';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import type { Answer, Stats } from '../../core/types.ts';

type AttentionItem = Answer<'getAttention'>['items'][number];

export function Attention({ stats }: { stats: Stats }) {
  const { data } = useResource<Answer<'getAttention'>>('/stats/attention');
  const items = data?.items ?? stats.degraded.map(fromNotice);
  return (
    <Section title="Needs attention" note={items.length > 0 ? String(items.length) : undefined}>
      {items.length === 0 ? <AllWell /> : <List items={items} />}
    </Section>
  );
}

const AllWell = () => (
  <div class="all-well">
    <Icon name="check" />
    No problems: all waiting jobs have workers, and the database responds.
  </div>
);

const List = ({ items }: { items: readonly AttentionItem[] }) => (
  <ul class="attention">
    {items.map((item) => (
      <li key={item.title} data-severity={item.severity}>
        <Icon name={item.severity === 'info' ? 'info' : 'warning'} label={item.severity} />
        <div>
          {item.link ? <a href={item.link}>{sentence(item.title)}</a> : sentence(item.title)}
          {item.what_to_do && item.what_to_do !== item.command && (
            <p class="muted small">{sentence(item.what_to_do)}</p>
          )}
        </div>
        {item.command && <CommandLine command={item.command} />}
      </li>
    ))}
  </ul>
);

const fromNotice = (title: string): AttentionItem => ({
  severity: 'warning',
  title,
  what_to_do: 'run queuectl doctor for details',
  command: 'queuectl doctor',
  link: null,
});
