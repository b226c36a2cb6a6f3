// What became of the ticks of a schedule, the newest first; of those that made no job, why.

import { Chips } from '../../components/chips.tsx';
import { Problem } from '../../components/feedback.tsx';
import { sentence } from '../../core/sentence.ts';
import { Section } from '../../components/screen.tsx';
import { Ago } from '../../components/time.tsx';
import { reasonInWords } from '../../../src/schedule/tick-words.ts';
import { clockTime, dayOf, exactTime } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, queryOf } from '../../core/router.ts';
import type { Tick } from '../../core/types.ts';
import { scheduleHref } from '../schedules/schedule-actions.tsx';

const SHOWN = 50;
const OUTCOMES = ['enqueued', 'skipped'] as const;

export function Ticks({ name }: { name: string }) {
  const { data, error, reload } = useResource<{ ticks: Tick[] }>(
    `${scheduleHref(name)}/ticks?limit=${SHOWN}`,
  );
  const ticks = data?.ticks ?? [];
  const outcome = queryOf('ticks');
  const shown = ticks.filter((tick) => outcome === '' || tick.outcome === outcome);
  return (
    <Section
      title="History"
      note={ticks.length > 0 ? `the last ${ticks.length} ticks` : undefined}
      actions={
        <a class="link small" href={hrefOf('/jobs', { filter: `schedule:${name}` })}>
          its jobs
        </a>
      }
    >
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data && ticks.length === 0 && <p class="muted wait-reason">It has not run yet.</p>}
      {ticks.length > 0 && (
        <>
          <div class="screen-tools">
            <Chips name="ticks" label="which ticks" chips={chipsOf(ticks)} />
          </div>
          <Table ticks={shown} />
        </>
      )}
    </Section>
  );
}

const chipsOf = (ticks: readonly Tick[]) =>
  OUTCOMES.map((outcome) => ({
    value: outcome,
    words: outcome,
    count: ticks.filter((tick) => tick.outcome === outcome).length,
  }));

const Table = ({ ticks }: { ticks: readonly Tick[] }) => (
  <div class="table-frame">
    <table class="table ticks">
      <thead>
        <tr>
          <th scope="col">tick</th>
          <th scope="col">outcome</th>
          <th scope="col">its job, or why there is none</th>
          <th scope="col" class="right tick-ago">
            when
          </th>
        </tr>
      </thead>
      <tbody>
        {ticks.map((tick) => (
          <tr key={`${tick.scheduled_at} ${tick.decided_at} ${tick.job}`}>
            <td class="narrow">
              <time dateTime={tick.scheduled_at} title={exactTime(Date.parse(tick.scheduled_at))}>
                {dayOf(Date.parse(tick.scheduled_at))} {clockTime(Date.parse(tick.scheduled_at))}
              </time>
            </td>
            <td class="narrow">
              <span class={`tag ${tick.outcome === 'skipped' ? 'warn' : 'good'}`}>{tick.outcome}</span>
            </td>
            <td>
              {tick.reason && <span>{sentence(reasonInWords(tick.reason))} </span>}
              {tick.job && <JobLink id={tick.job} />}
            </td>
            <td class="right muted narrow tick-ago">
              <Ago at={tick.scheduled_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const JobLink = ({ id }: { id: string }) => (
  <a class="mono link" href={`/jobs/${encodeURIComponent(id)}`}>
    {id}
  </a>
);
