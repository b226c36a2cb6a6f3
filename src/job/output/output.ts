// What is recorded of an attempt's output: how much the job wrote, which parts are kept, and where they are.
// Offsets count the bytes that the job wrote, from 0 on. Readers go by them alone, never by what the text looks like.

import { type Stamp, stampsOf, textOfStamps } from './output-stamps.ts';

export interface OutputRecord {
  /** How many bytes the job wrote. */
  readonly bytes: number;
  /** How many are kept from the beginning on: all of them, unless the middle was left out. */
  readonly head: number;
  /** How many are kept of the end, when the middle was left out. */
  readonly tail: number;
  /** Where head and tail begin in the log file; of no meaning when the store has the output. */
  readonly headAt: number;
  readonly tailAt: number;
  /** When and on which stream the parts of it came. */
  readonly stamps: readonly Stamp[];
}

/** Part of an output: `data` begins at byte `from` of what the job wrote. */
export interface OutputPart {
  readonly from: number;
  readonly data: Buffer;
}

/** What a worker reports of an output when its attempt has ended. */
export interface OutputReport {
  readonly record: OutputRecord;
  /** The part that goes into the store. */
  readonly part: OutputPart | null;
  /** The file that has the output, or null: the store has it. */
  readonly logPath: string | null;
  /** Bytes that the store may have got meanwhile and that are not kept. */
  readonly leftOut?: LeftOut | null | undefined;
}

export interface LeftOut {
  readonly from: number;
  readonly to: number;
}

/** What is known when an attempt begins. */
export const NO_OUTPUT: OutputRecord = { bytes: 0, head: 0, tail: 0, headAt: 0, tailAt: 0, stamps: [] };
export const NO_OUTPUT_TEXT = '{}';

/** Up to this size an output is kept in the store itself: a file for each would cost more than all the rest. */
export const KEPT_IN_STORE_BYTES = 4096;

/** What to keep of an output: all of it within the limit, else its head and its tail, half of the limit each. */
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

/** As it is stored: short, as there is one for every attempt. */
export function recordText({ stamps, ...numbers }: OutputRecord): string {
  const entries = Object.entries(numbers).filter(([, value]) => value !== 0);
  if (stamps.length > 0) entries.push(['stamps', textOfStamps(stamps)] as never);
  return JSON.stringify(Object.fromEntries(entries));
}

/** null: an attempt of an earlier version, whose START and END lines are in its output. */
export function recordOf(text: string | null): OutputRecord | null {
  if (text === null) return null;
  if (text === NO_OUTPUT_TEXT) return NO_OUTPUT;
  const { stamps = '', ...numbers } = JSON.parse(text) as Partial<Omit<OutputRecord, 'stamps'>> & {
    readonly stamps?: string;
  };
  return { ...NO_OUTPUT, ...numbers, stamps: stampsOf(stamps) };
}
