// What the policy has refused lately: when it came in, or at its start.

import { Section } from '../../components/screen.tsx';
import { Ago } from '../../components/time.tsx';
import { exactTime } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import type { Deed } from '../../core/types.ts';

/** So far back is looked; the screen of activity has all of it. */
const LOOKED_AT = '/activity?limit=500';
const SHOWN = 12;

export function Refusals() {
  const { data } = useResource<{ activity: Deed[] }>(LOOKED_AT);
  const refusals = data?.activity.filter(({ action }) => action === 'refused') ?? [];
  return (
    <Section
      title="Refused"
      note={refusals.length > SHOWN ? `the latest ${SHOWN}` : ''}
      actions={
        <a class="link small" href="/activity">
          all activity
        </a>
      }
    >
      {refusals.length === 0 ? (
        <p class="muted wait-reason">Nothing was refused lately.</p>
      ) : (
        <div class="table-frame">
          <table class="table cards">
            <thead>
              <tr>
                <th scope="col">who</th>
                <th scope="col">reason</th>
                <th scope="col">job</th>
                <th scope="col" class="right">
                  when
                </th>
              </tr>
            </thead>
            <tbody>
              {refusals.slice(0, SHOWN).map((deed) => (
                <Row key={deed.seq} deed={deed} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

const Row = ({ deed }: { deed: Deed }) => (
  <tr>
    <td class="nowrap card-title">
      {deed.actor} {deed.via === 'worker' && <span class="tag">before its start</span>}
    </td>
    <td class="card-text">{String(deed.detail?.reason ?? '')}</td>
    <td data-label={deed.target ? 'job' : undefined}>
      {deed.target && (
        <a class="mono link" href={`/jobs/${encodeURIComponent(deed.target)}`}>
          {deed.target}
        </a>
      )}
    </td>
    <td class="right muted nowrap" data-label="when" title={exactTime(Date.parse(deed.at))}>
      <Ago at={deed.at} />
    </td>
  </tr>
);
