// Time zones by their IANA names, and the clock on the wall there: which instants a time on the clock stands for.
// A time on the clock ("wall time") is counted in milliseconds as if the zone were UTC.

import { nearest } from '../text/nearest.ts';
import { invalid, quote } from './invalid.ts';

const DAY_MS = 86_400_000;

/** The name as the zone is spelled; an unknown one is refused. */
export function readZone(given: string): string {
  const known = spelling(given);
  if (known !== null) return known;
  const near = nearest(given, Intl.supportedValuesOf('timeZone'));
  const hint = near ? `did you mean '${near}'?` : 'use a name such as Europe/Berlin, America/New_York or UTC';
  throw invalid(`unknown time zone ${quote(given)}`, hint);
}

/** The zone of this machine. */
export const localZone = (): string =>
  spelling(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';

/** Intl answers old names for some zones: then the name stays as it was given. Offsets such as +02:00 are no zones. */
function spelling(given: string): string | null {
  if (!/^[A-Za-z]/.test(given)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: given }).resolvedOptions();
    if (timeZone.toLowerCase() === given.toLowerCase()) return timeZone;
    return given.toUpperCase() === 'UTC' ? 'UTC' : given;
  } catch {
    return null;
  }
}

/** What a time on the clock stands for. */
export interface WallTime {
  /** None in a gap, two in an overlap, in their order. */
  readonly instants: readonly number[];
  /** In a gap: the first instant after it. */
  readonly gapEnd: number | null;
}

export class WallClock {
  private readonly format: Intl.DateTimeFormat;

  private constructor(zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
      year: 'numeric',
    });
  }

  private static readonly known = new Map<string, WallClock>();

  /** Each is made once: that takes longer than using it. */
  static of(zone: string): WallClock {
    const clock = WallClock.known.get(zone) ?? new WallClock(zone);
    WallClock.known.set(zone, clock);
    return clock;
  }

  /** By how much the clock is ahead of UTC, in milliseconds. */
  offsetAt(instant: number): number {
    const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(this.format.format(instant));
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = match ?? [];
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -ms : ms;
  }

  wallAt(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /** Zones change their offset at most once within two days. */
  read(wall: number): WallTime {
    const [before, after] = [this.offsetAt(wall - DAY_MS), this.offsetAt(wall + DAY_MS)];
    if (before === after) return { instants: [wall - before], gapEnd: null };
    // The larger offset comes first: it makes the earlier instant.
    const offsets = [Math.max(before, after), Math.min(before, after)];
    const instants = offsets.map((offset) => wall - offset).filter((at) => this.wallAt(at) === wall);
    return { instants, gapEnd: instants.length > 0 ? null : this.changeWithin(wall - DAY_MS, wall + DAY_MS) };
  }

  /** The first instant in (from, to] at which the offset is that of `to`. */
  changeWithin(from: number, to: number): number {
    const offset = this.offsetAt(to);
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  }
}
