// Clients of the HTTP API, whose server is killed now and then. They repeat a request until it is answered, and follow
// their job through a stream that they resume.

import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../src/job/job.ts';
import type { Arena } from '../arena.ts';
import { type Action, someCommand } from './action.ts';

const PATIENCE_MS = 60_000;
const REQUEST_MS = 10_000;
/** Below 500, and worth another request: the server stood still while it read this one, is busy with it, or has too many. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 429]);

/** Sends one request with an idempotency key as often as needed. It must create exactly one job. */
export const enqueueOverHttp: Action = async (arena, _, chance) => {
  const name = `web-${arena.nextNumber()}`;
  const job = { name, command: someCommand(arena, chance), max_retries: 1, backoff_base: 0.1 };
  const until = performance.now() + PATIENCE_MS;
  arena.webNames.add(name);
  while (performance.now() < until) {
    const answer = await post(arena, '/api/v1/jobs', job, name);
    if (answer?.status === 200 || answer?.status === 201) {
      const body = (await answer.json().catch(() => null)) as unknown;
      const id = idIn(body);
      if (id === undefined) continue; // killed during its response
      arena.webJobs.set(name, id);
      if (chance.happens(0.5)) await follow(arena, id);
      return;
    }
    if (answer && answer.status < 500 && !AGAIN.has(answer.status)) {
      const text = await answer.text().catch(() => '');
      arena.problems.push({
        what: `the server answered ${answer.status} to a new job: ${text.slice(0, 200)}`,
      });
      return;
    }
    await sleep(chance.between(50, 500));
  }
};

function idIn(body: unknown): string | undefined {
  const { jobs, id } = (body ?? {}) as { jobs?: { id?: string }[]; id?: string };
  return id ?? jobs?.[0]?.id ?? (Array.isArray(body) ? (body[0] as { id?: string })?.id : undefined);
}

async function post(arena: Arena, path: string, body: unknown, key: string): Promise<Response | null> {
  try {
    const { url, headers } = await arena.webServer();
    return await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
  } catch {
    return null; // the server is not running
  }
}

/** The stream must report that the job has finished or is gone soon after the database does. */
async function follow(arena: Arena, id: string): Promise<void> {
  const heard: Heard = { lastId: '', isOver: false };
  const stop = new AbortController();
  const listening = listen(arena, id, heard, stop.signal);
  try {
    const queue = await arena.openQueue();
    try {
      const until = performance.now() + PATIENCE_MS;
      let finishedSince = Number.POSITIVE_INFINITY;
      while (!heard.isOver && performance.now() < until && performance.now() < finishedSince + PATIENCE_MS / 2) {
        const job = await queue.get(id).catch(() => undefined);
        if (job === null || (job && isFinal(job.state))) finishedSince = Math.min(finishedSince, performance.now());
        await sleep(200);
      }
      if (!heard.isOver && finishedSince < performance.now() - PATIENCE_MS / 2)
        arena.problems.push({
          what: `the stream of job ${id} never reported its end`,
          jobId: id,
          at: Date.now(),
        });
    } finally {
      await queue.close();
    }
  } finally {
    stop.abort();
    await listening;
  }
}

interface Heard {
  lastId: string;
  isOver: boolean;
}

async function listen(arena: Arena, id: string, heard: Heard, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !heard.isOver) {
    try {
      const { url, headers } = await arena.webServer();
      const resume = heard.lastId === '' ? {} : { 'last-event-id': heard.lastId };
      const answer = await fetch(`${url}/api/v1/events?topics=job:${id}`, {
        headers: { ...headers, ...resume },
        signal,
      });
      for await (const event of eventsOf(answer)) {
        heard.lastId = event.id || heard.lastId;
        if (event.name === 'gone') heard.isOver = true;
        if (event.name === 'job') heard.isOver = isFinal((JSON.parse(event.data) as { state: 'pending' }).state);
        if (heard.isOver) return;
      }
    } catch {
      // The server was killed, or has not started yet.
    }
    await sleep(100);
  }
}

async function* eventsOf(answer: Response): AsyncGenerator<{ id: string; name: string; data: string }> {
  let text = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const whole = `${text}${part}`.split('\n\n');
    text = whole.pop() ?? '';
    for (const event of whole) {
      const field = (name: string): string => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1] ?? '';
      yield { id: field('id'), name: field('event'), data: field('data') };
    }
  }
}
