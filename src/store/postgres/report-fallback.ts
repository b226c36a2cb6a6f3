// Handles a turn whose report the server rejects because of its content, such as a number that is out of range. Sending it again
// would fail forever and stop the worker. So each report is sent separately. If one is still rejected, it is sent without its
// texts: that a job has finished matters more than why.

import type { EndReport, Settled, Turn, TurnResult } from '../store.ts';
import { hasReport } from '../sql/turn-rules.ts';
import { isInvalidData } from './session/failures.ts';

type TakeTurn = (turn: Turn) => Promise<TurnResult>;

export async function withFallback(turn: Turn, take: TakeTurn): Promise<TurnResult> {
  try {
    return await take(turn);
  } catch (error) {
    if (!hasReport(turn) || !isInvalidData(error)) throw error;
    return reportOneByOne(turn, take);
  }
}

async function reportOneByOne(turn: Turn, take: TakeTurn): Promise<TurnResult> {
  const nothing: Turn = { ...turn, started: [], progress: [], ended: [], want: 0 };
  for (const start of turn.started) await take({ ...nothing, started: [start] }).catch(nullIfInvalid);
  const settled: Settled[] = [];
  for (const end of turn.ended) settled.push(...(await reportEnd(nothing, take, end)));
  return { ...(await take({ ...nothing, want: turn.want })), settled };
}

async function reportEnd(nothing: Turn, take: TakeTurn, end: EndReport): Promise<readonly Settled[]> {
  const complete = await take({ ...nothing, ended: [end] }).catch(nullIfInvalid);
  const written = complete ?? (await take({ ...nothing, ended: [withoutTexts(end)] }));
  return written.settled;
}

function nullIfInvalid(error: unknown): null {
  if (isInvalidData(error)) return null;
  throw error;
}

const withoutTexts = (end: EndReport): EndReport => ({
  ...end,
  pid: null,
  progress: null,
  result: null,
  ending: {
    ...end.ending,
    exitCode: asInteger(end.ending.exitCode),
    signal: null,
    error: end.ending.error === null ? null : 'its report could not be stored',
    durationMs: asInteger(end.ending.durationMs) ?? 0,
  },
});

const asInteger = (value: number | null): number | null => (Number.isSafeInteger(value) ? value : null);
