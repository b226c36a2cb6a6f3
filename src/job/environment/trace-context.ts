// The W3C trace context of a job: TRACEPARENT and TRACESTATE. It comes from the program that enqueues the job and is
// kept in the job's own variables, so that it follows the job through export and import. Pure.

import type { NewJob } from '../job.ts';

export const TRACEPARENT = 'TRACEPARENT';
export const TRACESTATE = 'TRACESTATE';
/** Variables that describe one trace and must not be inherited from a shell. */
export const TRACE_VARIABLES: readonly string[] = [TRACEPARENT, TRACESTATE];

const LONGEST_STATE = 512;

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Trace variables for a job; null if there is no trace or it is invalid. */
export type TraceContext = Readonly<Record<string, string>> | null;

/** Parses version 00, or the compatible beginning of a later version. Returns null if the text is invalid. */
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

/** A trace that the job sets itself takes precedence. */
export function withTrace(job: NewJob, trace: TraceContext): NewJob {
  return trace === null || TRACEPARENT in job.env ? job : { ...job, env: { ...job.env, ...trace } };
}
