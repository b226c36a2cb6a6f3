// Jobs that the policy rejected lately, at enqueue or before they started.

import { JobLink } from '../../components/job-link.tsx';
import { Section } from '../../components/screen.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { useResource } from '../../core/resource.ts';
import type { Answer, ActivityEntry } from '../../core/types.ts';

/** Only the latest entries are searched; the activity screen has all of them. */
const SEARCHED = '/activity?limit=500';
const SHOWN = 12;

const COLUMNS: readonly Column<ActivityEntry>[] = [
  {
    head: 'user',
    card: 'title',
    class: 'nowrap',
    cell: ({ actor, via }) => (
      <>
        {actor} {via === 'worker' && <span class="tag">before the start</span>}
      </>
    ),
  },
  { head: 'reason', card: 'text', cell: ({ detail }) => String(detail?.reason ?? '') },
  { head: 'job', cell: ({ target }) => target && <JobLink id={target} /> },
  { head: 'when', isRight: true, class: 'muted nowrap', cell: ({ at }) => <Ago at={at} /> },
];

export function Rejections() {
  const { data } = useResource<Answer<'listActivity'>>(SEARCHED);
  const rejections = data?.activity.filter(({ action }) => action === 'rejected') ?? [];
  return (
    <Section
      title="Rejected jobs"
      note={rejections.length > SHOWN ? `the latest ${SHOWN}` : ''}
      actions={
        <a class="link small" href="/activity">
          all activity
        </a>
      }
    >
      <Table
        columns={COLUMNS}
        rows={rejections.slice(0, SHOWN)}
        keyOf={({ seq }) => String(seq)}
        empty={<p class="muted wait-reason">No jobs were rejected lately.</p>}
      />
    </Section>
  );
}
