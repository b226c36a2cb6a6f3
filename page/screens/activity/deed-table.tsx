// What was done, as rows under the day it was done on.

import { Fragment } from 'preact';
import { Ago } from '../../components/time.tsx';
import { clockTime, exactTime } from '../../core/format.ts';
import { navigate } from '../../core/router.ts';
import type { Deed } from '../../core/types.ts';
import { useHeldRows } from '../../components/table/held-rows.ts';
import { useRows } from '../../components/table/use-rows.ts';
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

export function DeedTable({ deeds: newest }: { deeds: readonly Deed[] }) {
  const { rows: deeds, held } = useHeldRows(newest, ({ seq }) => String(seq));
  const { at } = useRows(deeds, 'Activity', open);
  return (
    <div class="table-frame">
      <table class="table deeds">
        <thead>
          <tr>
            <th scope="col">when</th>
            <th scope="col">who</th>
            <th scope="col">what</th>
            <th scope="col">to</th>
            <th scope="col">detail</th>
            <th scope="col" class="right">
              ago
            </th>
          </tr>
        </thead>
        <tbody {...held}>
          {deeds.map((deed, i) => (
            <Fragment key={deed.seq}>
              {isNewDay(deed, deeds[i - 1]) && <Day deed={deed} />}
              <Row deed={deed} isAt={i === at} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function open(deed: Deed): void {
  const href = hrefOfTarget(deed);
  if (href) navigate(href);
}

const dayOf = ({ at }: Deed): string => day.format(Date.parse(at));

const isNewDay = (deed: Deed, before: Deed | undefined): boolean => !before || dayOf(deed) !== dayOf(before);

const Day = ({ deed }: { deed: Deed }) => (
  <tr class="day">
    <th scope="rowgroup" colSpan={6}>
      {dayOf(deed)}
    </th>
  </tr>
);

const Row = ({ deed, isAt }: { deed: Deed; isAt: boolean }) => (
  <tr data-at={isAt}>
    <td class="narrow deed-when">
      <time dateTime={deed.at} title={exactTime(Date.parse(deed.at))}>
        {clockTime(Date.parse(deed.at))}
      </time>
    </td>
    <td class="nowrap deed-who">
      {deed.actor} <span class="tag">{VIA[deed.via]}</span>
    </td>
    <td class="nowrap deed-what name">{actionWords(deed.action)}</td>
    <td class="deed-to">
      <Target deed={deed} />
    </td>
    <td class="muted deed-detail">{detailText(deed.detail)}</td>
    <td class="right muted narrow deed-ago">
      <Ago at={deed.at} />
    </td>
  </tr>
);

function Target({ deed }: { deed: Deed }) {
  const href = hrefOfTarget(deed);
  if (!href) return <span class="mono">{deed.target}</span>;
  return (
    <a class="mono link" href={href}>
      {deed.target}
    </a>
  );
}
