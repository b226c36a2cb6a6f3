// Limits as reasons for waiting: of the queue, of a full gate, and jobs that come first.

import type { Job } from '../../job/job.ts';
import {
  DEFAULT_KEY_CONCURRENCY,
  EVERY_QUEUE,
  keyGate,
  type QueueLimit,
  queueRoom,
  rateOpensAt,
} from '../../job/flow/concurrency.ts';
import type { Queue } from '../../queue/queue.ts';
import { COUNT_AT_MOST, type Gate, type Line } from '../../store/store.ts';
import type { Wait } from './wait.ts';

/** A pause lasts until a user ends it. The other limits matter only once the job is due. */
export async function waitsForQueue(queue: Queue, job: Job, isItsTime: boolean): Promise<Wait[]> {
  const limits = await queue.queues.limits();
  const [all, own] = [EVERY_QUEUE, job.queue].map((name) => limits.find((limit) => limit.queue === name));
  if (all && all.pausedAt !== null) return [paused('all queues are paused', 'queuectl queue resume', all)];
  if (!own) return [];
  if (own.pausedAt !== null) return [paused(`queue ${own.queue} is paused`, `queuectl queue resume ${own.queue}`, own)];
  return isItsTime ? atRoom(queue, own) : [];
}

const paused = (message: string, hint: string, { pausedAt }: QueueLimit): Wait => ({
  reason: 'queue_paused',
  message,
  hint,
  since: pausedAt ?? undefined,
});

async function atRoom(queue: Queue, limit: QueueLimit): Promise<Wait[]> {
  const { queues } = await queue.overview();
  const running = queues.find((one) => one.queue === limit.queue)?.counts.processing ?? 0;
  if (queueRoom(limit, running, queue.now()) > 0) return [];
  const hint = `queuectl queue show ${limit.queue}`;
  if (limit.concurrency !== null && running >= limit.concurrency) {
    const message = `queue ${limit.queue} runs at most ${limit.concurrency} at once (${running} running)`;
    return [{ reason: 'queue_concurrency', message, hint }];
  }
  const until = rateOpensAt(limit, queue.now()) ?? undefined;
  return [{ reason: 'queue_rate', message: `queue ${limit.queue} has reached its rate limit`, hint, until }];
}

/** Without a free slot, the job waits for running jobs; otherwise for the job that comes first. */
export async function waitsAtGate(queue: Queue, job: Job, gate: Gate): Promise<Wait[]> {
  const { name, holder, running, next } = gate;
  const isKey = name === keyGate(job.key ?? '');
  const own = isKey ? (job.keyConcurrency ?? DEFAULT_KEY_CONCURRENCY) : await groupLimit(queue, job.group);
  if (own === null) return []; // the limit is gone, so a turn is about to make it ready
  const reason = isKey ? 'key_slot' : 'group_slot';
  const slot = `waiting for a free slot of ${isKey ? `key ${job.key}` : `group ${job.group}`}`;
  const limit = Math.min(own, gate.strictest);
  if (holder !== null && running >= limit) {
    const who = limit === 1 ? `taken by ${holder.id}` : `${running} of ${limit} taken, longest by ${holder.id}`;
    return [{ reason, message: `${slot}, ${who}`, hint: `queuectl show ${holder.id}`, since: holder.since }];
  }
  if (next === null || next === job.id) return [];
  return [{ reason, message: `${slot}, ${next} comes first`, hint: `queuectl why ${next}` }];
}

const groupLimit = async (queue: Queue, name: string | null): Promise<number | null> =>
  name === null ? null : (await queue.groups.get(name)).concurrency;

/** Minimum number of finished jobs for an estimate. */
const LEAST_ENDED = 5;
const MINUTE_MS = 60_000;

/** Reasons that pass without a user. The others stop the line, so the recent rate predicts nothing. */
const PASSING: readonly Wait['reason'][] = ['queue_concurrency', 'queue_rate'];

/** The job's position in line, and the estimated wait at the rate of the last minute. */
export function waitsInLine({ ahead, ready, endedLastMinute }: Line, lasting: readonly Wait[]): Wait[] {
  if (ahead === 0) return [];
  const isMoving = lasting.every(({ reason }) => PASSING.includes(reason));
  const isKnown = isMoving && endedLastMinute !== null && endedLastMinute >= LEAST_ENDED && ahead < COUNT_AT_MOST;
  const ms = isKnown ? (ahead / endedLastMinute) * MINUTE_MS : null;
  const about = ms === null ? '' : `, about ${inWords(ms)} at the rate of the last minute`;
  return [{ reason: 'position', message: `${ordinal(ahead + 1)} of ${bounded(ready)} in line${about}`, hint: null }];
}

const bounded = (n: number): string => (n >= COUNT_AT_MOST ? `${COUNT_AT_MOST} or more` : String(n));

function ordinal(n: number): string {
  if (n > COUNT_AT_MOST) return `${COUNT_AT_MOST}th or later`;
  const tens = n % 100;
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

/** Rounded, because it is only an estimate. */
function inWords(ms: number): string {
  if (ms < 90_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
  return ms < 90 * 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
