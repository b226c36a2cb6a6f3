// A turn whose report the server refuses because of what is in it, such as a text or a number that a column cannot hold.
// Sent again it would be refused again, for ever, and the worker with it. So each report is sent alone, and one that is
// refused still is sent without what it says in words: that a job has ended matters more than why.

import type { EndReport, Settled, Turn, TurnResult } from '../store.ts';
import { hasReport } from '../sql/turn-rules.ts';
import { isRefusedData } from './session/failures.ts';

type TakeTurn = (turn: Turn) => Promise<TurnResult>;

export async function salvaging(turn: Turn, take: TakeTurn): Promise<TurnResult> {
  try {
    return await take(turn);
  } catch (error) {
    if (!hasReport(turn) || !isRefusedData(error)) throw error;
    return reportOneByOne(turn, take);
  }
}

async function reportOneByOne(turn: Turn, take: TakeTurn): Promise<TurnResult> {
  const nothing: Turn = { ...turn, started: [], progress: [], ended: [], want: 0 };
  for (const start of turn.started) await take({ ...nothing, started: [start] }).catch(unlessRefused);
  const settled: Settled[] = [];
  for (const end of turn.ended) settled.push(...(await reportEnd(nothing, take, end)));
  return { ...(await take({ ...nothing, want: turn.want })), settled };
}

async function reportEnd(nothing: Turn, take: TakeTurn, end: EndReport): Promise<readonly Settled[]> {
  const whole = await take({ ...nothing, ended: [end] }).catch(unlessRefused);
  const written = whole ?? (await take({ ...nothing, ended: [withoutWords(end)] }));
  return written.settled;
}

function unlessRefused(error: unknown): null {
  if (isRefusedData(error)) return null;
  throw error;
}

const withoutWords = (end: EndReport): EndReport => ({
  ...end,
  pid: null,
  progress: null,
  result: null,
  ending: {
    ...end.ending,
    exitCode: asWhole(end.ending.exitCode),
    signal: null,
    error: end.ending.error === null ? null : 'its report could not be stored',
    durationMs: asWhole(end.ending.durationMs) ?? 0,
  },
});

const asWhole = (value: number | null): number | null => (Number.isSafeInteger(value) ? value : null);
