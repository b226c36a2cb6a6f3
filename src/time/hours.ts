// Hours of the day in local time, such as 22-6, 9-17 or 8:30-12. If the end is not after the start, the range spans
// midnight.

export interface Hours {
  /** Minutes since midnight; the end is exclusive. */
  readonly from: number;
  readonly to: number;
}

const TIME = String.raw`(\d{1,2})(?::(\d{2}))?`;
const HOURS = new RegExp(`^${TIME}\\s*-\\s*${TIME}$`);
const DAY = 24 * 60;

/** Returns null if the text is invalid. */
export function parseHours(text: string): Hours | null {
  const match = HOURS.exec(text.trim());
  if (!match) return null;
  const [from, to] = [minutesOf(match[1], match[2]), minutesOf(match[3], match[4])];
  return from === null || to === null || from % DAY === to % DAY ? null : { from: from % DAY, to: to % DAY };
}

function minutesOf(hour: string | undefined, minute = '0'): number | null {
  const [hours, minutes] = [Number(hour), Number(minute)];
  return hours < 24 || (hours === 24 && minutes === 0) ? (minutes < 60 ? hours * 60 + minutes : null) : null;
}

/** Uses local wall-clock time, including clock changes. */
export function isWithin({ from, to }: Hours, at: Date): boolean {
  const minute = at.getHours() * 60 + at.getMinutes();
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
