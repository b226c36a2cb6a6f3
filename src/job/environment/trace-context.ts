// The trace that a job belongs to, as W3C Trace Context has it: TRACEPARENT, and TRACESTATE beside it. It comes from the program
// that enqueues the job and is kept in the job's own variables, so that it travels wherever the job does. Pure.

import type { NewJob } from '../job.ts';

export const TRACEPARENT = 'TRACEPARENT';
export const TRACESTATE = 'TRACESTATE';
/** These belong to one trace, never to a shell. */
export const TRACE_VARIABLES: readonly string[] = [TRACEPARENT, TRACESTATE];

const LONGEST_STATE = 512;

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 of them. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Variables for a job to have; null: there is no trace, or what is there cannot be one. */
export type TraceContext = Readonly<Record<string, string>> | null;

/** Of the version that we know, or the start of a later one, which stays the same. null: it is not valid. */
export function readTraceparent(text: string | null | undefined): TraceParent | null {
  if (!text) return null;
  const [, version, traceId = '', spanId = '', flags = '', rest = ''] = SHAPE.exec(text) ?? [];
  const isKnown = version === '00' ? rest === '' : version !== undefined && version !== 'ff';
  if (!isKnown || isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]{0,200})?$/;

const isZero = (digits: string): boolean => /^0+$/.test(digits);

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

export function traceContext(
  traceparent: string | null | undefined,
  tracestate: string | null | undefined,
): TraceContext {
  if (!traceparent || readTraceparent(traceparent) === null) return null;
  const isState = tracestate && tracestate.length <= LONGEST_STATE && /^[\x20-\x7e]+$/.test(tracestate);
  return { [TRACEPARENT]: traceparent, ...(isState && { [TRACESTATE]: tracestate }) };
}

/** A job that says itself what trace it belongs to keeps to that. */
export function withTrace(job: NewJob, trace: TraceContext): NewJob {
  return trace === null || TRACEPARENT in job.env ? job : { ...job, env: { ...job.env, ...trace } };
}
