// Entries of the audit log below the day on which they happened.

import { type Column, Table } from '../../components/table/table.tsx';
import { Ago, TimeText } from '../../components/time.tsx';
import { clockTime } from '../../core/format.ts';
import { navigate } from '../../core/router.ts';
import type { ActivityEntry } from '../../core/types.ts';

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

/** Turns 'pauseQueue' into 'pause queue'. */
const actionWords = (action: string): string => action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const PLACES: readonly (readonly [pattern: RegExp, href: string])[] = [
  [/queue/i, '/queues/'],
  [/schedule/i, '/schedules/'],
  [/group/i, '/groups/'],
  [/job|^(retry|cancel|hold|release|run-now|edit|move)$/i, '/jobs/'],
];
const GONE = /delete|remove/i;

/** Returns null if the target has no screen, is a list, or was deleted. */
function hrefOfTarget({ action, target }: ActivityEntry): string | null {
  if (target === null || GONE.test(action) || /[\s,]/.test(target)) return null;
  if (/setting|config/i.test(action)) return `/settings?find=${encodeURIComponent(target)}`;
  const place = PLACES.find(([pattern]) => pattern.test(action));
  return place ? `${place[1]}${encodeURIComponent(target)}` : null;
}

const detailText = (detail: ActivityEntry['detail']): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
