// Entries of the audit log below the day on which they happened.

import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { clockTime, exactTime } from '../../core/format.ts';
import { navigate } from '../../core/router.ts';
import type { Deed } from '../../core/types.ts';
import { actionWords, detailText, hrefOfTarget } from './deed-words.ts';

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

const COLUMNS: readonly Column<Deed>[] = [
  {
    head: 'when',
    name: 'when',
    width: 'fit',
    cell: ({ at }) => (
      <time dateTime={at} title={exactTime(Date.parse(at))}>
        {clockTime(Date.parse(at))}
      </time>
    ),
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
  { head: 'target', name: 'to', cell: (deed) => targetOf(deed) },
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

export const DeedTable = ({ deeds }: { deeds: readonly Deed[] }) => (
  <Table
    name="deeds"
    columns={COLUMNS}
    rows={deeds}
    keyOf={({ seq }) => String(seq)}
    narrow="lines"
    isHeld
    keys={{ part: 'Activity', open }}
    headingOf={({ at }) => day.format(Date.parse(at))}
  />
);

function open(deed: Deed): void {
  const href = hrefOfTarget(deed);
  if (href) navigate(href);
}

function targetOf(deed: Deed) {
  const href = hrefOfTarget(deed);
  if (!href) return deed.target && <span class="mono">{deed.target}</span>;
  return (
    <a class="mono link" href={href}>
      {deed.target}
    </a>
  );
}
