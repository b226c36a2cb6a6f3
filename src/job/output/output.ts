// Output metadata of an attempt: how much the job wrote, which parts are kept, and where. Offsets count the bytes that
// the job wrote, from 0. Readers rely only on offsets, never on the content.

import { type Stamp, stampsOf, textOfStamps } from './output-stamps.ts';

export interface OutputRecord {
  /** Number of bytes the job wrote. */
  readonly bytes: number;
  /** Number of bytes kept from the start; all of them unless the middle was dropped. */
  readonly head: number;
  /** Number of bytes kept from the end if the middle was dropped. */
  readonly tail: number;
  /** Positions of head and tail in the log file; unused if the store holds the output. */
  readonly headAt: number;
  readonly tailAt: number;
  /** Times and streams of its chunks. */
  readonly stamps: readonly Stamp[];
}

/** A part of an output; `data` begins at byte `from`. */
export interface OutputPart {
  readonly from: number;
  readonly data: Buffer;
}

/** A worker's report of an ended attempt's output. */
export interface OutputReport {
  readonly record: OutputRecord;
  readonly part: OutputPart | null;
  /** Log file with the output, or null if the store holds it. */
  readonly logPath: string | null;
  /** Dropped bytes that the store may have received earlier. */
  readonly leftOut?: LeftOut | null | undefined;
}

export interface LeftOut {
  readonly from: number;
  readonly to: number;
}

/** Initial record of an attempt. */
export const NO_OUTPUT: OutputRecord = { bytes: 0, head: 0, tail: 0, headAt: 0, tailAt: 0, stamps: [] };
export const NO_OUTPUT_TEXT = '{}';

/** Output up to this size is kept in the store, because a file for each would cost more than everything else. */
export const KEPT_IN_STORE_BYTES = 4096;

/** Keeps all output within the limit; beyond it, a head and a tail of half the limit each. */
export function keptParts(
  available: { readonly head: number; readonly tailFrom: number; readonly bytes: number },
  limit: number,
): { readonly head: number; readonly tail: number } {
  const { head, tailFrom, bytes } = available;
  const isWhole = tailFrom === head;
  if (isWhole && bytes <= limit) return { head: bytes, tail: 0 };
  const keptHead = Math.min(head, Math.floor(limit / 2));
  return { head: keptHead, tail: Math.min(bytes - (isWhole ? keptHead : tailFrom), limit - keptHead) };
}

/** Compact encoding, because every attempt has one. */
export function recordText({ stamps, ...numbers }: OutputRecord): string {
  const entries = Object.entries(numbers).filter(([, value]) => value !== 0);
  if (stamps.length > 0) entries.push(['stamps', textOfStamps(stamps)] as never);
  return JSON.stringify(Object.fromEntries(entries));
}

/** Returns null for attempts of earlier versions, whose output contains START and END lines. */
export function recordOf(text: string | null): OutputRecord | null {
  if (text === null) return null;
  if (text === NO_OUTPUT_TEXT) return NO_OUTPUT;
  const { stamps = '', ...numbers } = JSON.parse(text) as Partial<Omit<OutputRecord, 'stamps'>> & {
    readonly stamps?: string;
  };
  return { ...NO_OUTPUT, ...numbers, stamps: stampsOf(stamps) };
}
