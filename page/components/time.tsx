// Times in short form, with the exact time in the title.

import { now } from '../core/clock.ts';
import { duration, exactTime, relative, shortTime } from '../core/format.ts';

type At = { at: string | null; none?: string | undefined };

/** '5 min ago', 'in 38 s'. */
export const Ago = ({ at, none }: At) => <TimeText at={at} none={none} text={(ms) => relative(ms, now.value)} />;

/** '14:03', with the date if it is not today. */
export const When = ({ at, none }: At) => <TimeText at={at} none={none} text={(ms) => shortTime(ms, now.value)} />;

/** The time since a start. */
export const Running = ({ since }: { since: string | null }) => (
  <TimeText at={since} text={(ms) => duration(Math.max(0, Math.floor((now.value - ms) / 1000) * 1000))} />
);

/** A time in any form. */
export function TimeText({ at, none = '', text }: At & { text: (ms: number) => string }) {
  if (at === null) return <span class="muted">{none}</span>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(ms)} class="nowrap">
      {text(ms)}
    </time>
  );
}
