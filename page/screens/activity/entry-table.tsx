// Entries of the audit log below the day on which they happened.

import { type Column, Table } from '../../components/table/table.tsx';
import { Ago, TimeText } from '../../components/time.tsx';
import { clockTime } from '../../core/format.ts';
import { navigate } from '../../core/router.ts';
import type { ActivityEntry } from '../../core/types.ts';
import { actionWords, detailText, hrefOfTarget } from './entry-words.ts';

const VIA = {
  cli: 'command line',
  http: 'http',
  mcp: 'agent',
  library: 'library',
  worker: 'worker',
} as const;

const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

const COLUMNS: readonly Column<ActivityEntry>[] = [
  {
    head: 'when',
    name: 'when',
    width: 'fit',
    cell: ({ at }) => <TimeText at={at} text={clockTime} />,
  },
  {
    head: 'user',
    name: 'who',
    class: 'nowrap',
    cell: ({ actor, via }) => (
      <>
        {actor} <span class="tag">{VIA[via]}</span>
      </>
    ),
  },
  { head: 'action', name: 'what', class: 'nowrap name', cell: ({ action }) => actionWords(action) },
  { head: 'target', name: 'to', cell: (entry) => targetOf(entry) },
  { head: 'detail', name: 'detail', class: 'muted', cell: ({ detail }) => detailText(detail) },
  {
    head: 'ago',
    width: 'fit',
    isRight: true,
    class: 'muted',
    hiddenOn: 'narrow',
    cell: ({ at }) => <Ago at={at} />,
  },
];

export const EntryTable = ({ entries }: { entries: readonly ActivityEntry[] }) => (
  <Table
    name="activity"
    columns={COLUMNS}
    rows={entries}
    keyOf={({ seq }) => String(seq)}
    narrow="lines"
    isHeld
    keys={{ part: 'Activity', open }}
    headingOf={({ at }) => day.format(Date.parse(at))}
  />
);

function open(entry: ActivityEntry): void {
  const href = hrefOfTarget(entry);
  if (href) navigate(href);
}

function targetOf(entry: ActivityEntry) {
  const href = hrefOfTarget(entry);
  if (!href) return entry.target && <span class="mono">{entry.target}</span>;
  return (
    <a class="mono link" href={href}>
      {entry.target}
    </a>
  );
}
