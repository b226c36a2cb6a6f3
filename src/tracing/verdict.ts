// Interprets a collector's response by the rules of OTLP over HTTP. Pure.

import type { Posted } from './post.ts';

export type Verdict =
  | { readonly kind: 'accepted'; readonly rejected: number; readonly problem: string | null }
  | { readonly kind: 'later'; readonly afterMs: number | null; readonly problem: string }
  | { readonly kind: 'rejected'; readonly problem: string };

const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const LONGEST_WAIT_MS = 60_000;
const SHOWN = 200;

export function verdictOn({ status, retryAfter, body }: Posted, now: number): Verdict {
  if (status >= 200 && status < 300) return accepted(body);
  const problem = `the collector returned ${status}`;
  return PASSING.has(status)
    ? { kind: 'later', afterMs: waitIn(retryAfter, now), problem }
    : { kind: 'rejected', problem };
}

/** A collector may reject some spans of a batch; those must not be sent again. */
function accepted(body: string): Verdict {
  const { partialSuccess } = parsed(body) as {
    partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } | null;
  };
  const rejected = Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  const message = String(partialSuccess?.errorMessage ?? '').slice(0, SHOWN);
  return {
    kind: 'accepted',
    rejected,
    problem: rejected > 0 || message ? `the collector rejected ${rejected} spans: ${message}` : null,
  };
}

function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body || '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Parses seconds or a date. */
function waitIn(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.min(LONGEST_WAIT_MS, Math.max(0, ms)) : null;
}
