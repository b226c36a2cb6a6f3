// IANA time zones and their wall clocks: maps wall-clock times to instants. Wall-clock times are counted in
// milliseconds as if the zone were UTC.

import { nearest } from '../text/nearest.ts';
import { invalid, quote } from './invalid.ts';

const DAY_MS = 86_400_000;

/** Returns the canonical name, or throws if the zone is unknown. */
export function readZone(given: string): string {
  const known = spelling(given);
  if (known !== null) return known;
  const near = nearest(given, Intl.supportedValuesOf('timeZone'));
  const hint = near ? `did you mean '${near}'?` : 'use a name such as Europe/Berlin, America/New_York or UTC';
  throw invalid(`unknown time zone ${quote(given)}`, hint);
}

export const localZone = (): string => spelling(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';

/** Intl returns old names for some zones; the given name is kept then. Offsets such as +02:00 are not zones. */
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

/** Instants of a wall-clock time. */
export interface WallTime {
  /** None in a gap, two in an overlap, in ascending order. */
  readonly instants: readonly number[];
  /** First instant after the gap; null if there is no gap. */
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

  /** Cached, because creation takes longer than use. */
  static of(zone: string): WallClock {
    const clock = WallClock.known.get(zone) ?? new WallClock(zone);
    WallClock.known.set(zone, clock);
    return clock;
  }

  /** Offset from UTC in milliseconds, positive to the east. */
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
    // The larger offset yields the earlier instant.
    const offsets = [Math.max(before, after), Math.min(before, after)];
    const instants = offsets.map((offset) => wall - offset).filter((at) => this.wallAt(at) === wall);
    return { instants, gapEnd: instants.length > 0 ? null : this.changeWithin(wall - DAY_MS, wall + DAY_MS) };
  }

  /** Returns the first instant in (from, to] with the offset of `to`. */
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
