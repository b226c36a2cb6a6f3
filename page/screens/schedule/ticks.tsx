// Past runs of a schedule, newest first: the job of each run, or the reason why it was skipped.

import { Chips, chipsOf } from '../../components/chips.tsx';
import { Problem } from '../../components/feedback.tsx';
import { sentence } from '../../core/sentence.ts';
import { Section } from '../../components/screen.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago, TimeText } from '../../components/time.tsx';
import { reasonInWords } from '../../../src/schedule/tick-words.ts';
import { clockTime, counted, dayOf } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, itemHref, queryOf } from '../../core/router.ts';
import type { Answer, Tick } from '../../core/types.ts';

const SHOWN = 50;
const OUTCOMES = ['enqueued', 'skipped'] as const;

export function Ticks({ name }: { name: string }) {
  const { data, error, reload } = useResource<Answer<'listTicks'>>(
    `${itemHref('schedules', name)}/ticks?limit=${SHOWN}`,
  );
  const ticks = data?.ticks ?? [];
  const outcome = queryOf('ticks');
  const shown = ticks.filter((tick) => outcome === '' || tick.outcome === outcome);
  return (
    <Section
      title="History"
      note={ticks.length > 0 ? `the last ${counted(ticks.length, 'run')}` : undefined}
      actions={
        <a class="link small" href={hrefOf('/jobs', { filter: `schedule:${name}` })}>
          jobs of this schedule
        </a>
      }
    >
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data && ticks.length === 0 && <p class="muted wait-reason">This schedule has not run yet.</p>}
      {ticks.length > 0 && (
        <>
          <div class="screen-tools">
            <Chips name="ticks" label="outcome of runs" chips={chipsOf(ticks, OUTCOMES, ({ outcome }) => outcome)} />
          </div>
          <Table
            name="ticks"
            columns={COLUMNS}
            rows={shown}
            keyOf={(tick) => `${tick.scheduled_at} ${tick.decided_at} ${tick.job}`}
            narrow="scroll"
          />
        </>
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Tick>[] = [
  { head: 'scheduled for', width: 'fit', cell: ({ scheduled_at }) => <Day at={scheduled_at} /> },
  {
    head: 'outcome',
    width: 'fit',
    cell: ({ outcome }) => <span class={`tag ${outcome === 'skipped' ? 'warn' : 'good'}`}>{outcome}</span>,
  },
  {
    head: 'job or reason',
    cell: ({ reason, job }) => (
      <>
        {reason && <span>{sentence(reasonInWords(reason))} </span>}
        {job && <JobLink id={job} />}
      </>
    ),
  },
  {
    head: 'when',
    width: 'fit',
    isRight: true,
    class: 'muted',
    hiddenOn: 'narrow',
    cell: ({ scheduled_at }) => <Ago at={scheduled_at} />,
  },
];

const Day = ({ at }: { at: string }) => <TimeText at={at} text={(ms) => `${dayOf(ms)} ${clockTime(ms)}`} />;
