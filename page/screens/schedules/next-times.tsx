// The next runs of a schedule in the browser's time zone, and in the schedule's if it differs.

import { TimeText } from '../../components/time.tsx';
import { now } from '../../core/clock.ts';
import { relative } from '../../core/format.ts';

const own = new Intl.DateTimeFormat('en-GB', format());

function format(timeZone?: string): Intl.DateTimeFormatOptions {
  return {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(timeZone && { timeZone }),
  };
}

/** Returns null if the time in the schedule's zone is the same. */
function otherZone(zone: string): Intl.DateTimeFormat | null {
  try {
    const other = new Intl.DateTimeFormat('en-GB', format(zone));
    const [a, b] = [own, other].map((one) => one.resolvedOptions().timeZone);
    return a === b ? null : other;
  } catch {
    return null; // the browser does not support this zone
  }
}

/** A run stays due until a worker enqueues its job. */
export const dueText = (at: number): string => (at < now.value ? 'due' : relative(at, now.value));

export function NextTimes({ times, zone }: { times: readonly string[]; zone: string }) {
  const other = otherZone(zone);
  return (
    <ol class="next-times">
      {times.map((at) => (
        <li key={at}>
          <TimeText at={at} text={own.format} />
          <span class="muted">{dueText(Date.parse(at))}</span>
          {other && (
            <span class="muted small">
              {other.format(Date.parse(at))} {zone}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
