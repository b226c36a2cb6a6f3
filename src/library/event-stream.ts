// Server-sent events as an iterable that survives disconnects: it reconnects with the ID of the last event and resumes
// there. Leaving the loop, or the signal, ends it.

import { QueueError } from '../errors/errors.ts';

/** The server sends a keep-alive every 15 seconds; a longer silence means that the connection is lost. */
const SILENT_WITHIN_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Opens the stream after `lastEventId`. A response without a body ends the stream. */
export type OpenStream = (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;

export interface StreamRules {
  readonly signal: AbortSignal | undefined;
  /** How long to retry the connection before it is an error. */
  readonly patienceMs: number;
}

export async function* eventStream(open: OpenStream, rules: StreamRules): AsyncGenerator<StreamedEvent> {
  let lastEventId: string | null = null;
  const patience = new Patience(rules.patienceMs);
  while (!rules.signal?.aborted) {
    const connection = new AbortController();
    const leave = (): void => connection.abort();
    rules.signal?.addEventListener('abort', leave, { once: true });
    try {
      const response = await open(lastEventId, connection.signal);
      if (response.status === 204 || response.body === null) return;
      patience.renew();
      for await (const event of eventsIn(response.body, connection.signal, () => watchdog(connection))) {
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
    } catch (error) {
      if (rules.signal?.aborted) return;
      if (!isPassing(error)) throw error;
      patience.check(error);
    } finally {
      rules.signal?.removeEventListener('abort', leave);
      connection.abort();
    }
    await patience.pause(rules.signal);
  }
}

/** Aborts a connection without data for too long. The returned function restarts the timer. */
function watchdog(connection: AbortController): () => void {
  const timer = setTimeout(() => connection.abort(), SILENT_WITHIN_MS);
  return () => clearTimeout(timer);
}

/** Temporary errors: the server or its database is unreachable or overloaded. */
const PASSING: ReadonlySet<string> = new Set(['server_unreachable', 'too_busy', 'store_slow', 'store_busy']);

const isPassing = (error: unknown): boolean => !(error instanceof QueueError) || PASSING.has(error.code);

class Patience {
  private readonly ms: number;
  private since: number | null = null;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(ms: number) {
    this.ms = ms;
  }

  renew(): void {
    this.since = null;
    this.pauseMs = FIRST_PAUSE_MS;
  }

  check(error: unknown): void {
    this.since ??= performance.now();
    if (performance.now() - this.since >= this.ms) throw error;
  }

  async pause(signal: AbortSignal | undefined): Promise<void> {
    await pause(this.pauseMs, signal);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(over, ms);
    signal?.addEventListener('abort', over, { once: true });
    function over(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    }
  });

interface StreamedEvent {
  /** 'message' by default. */
  readonly type: string;
  readonly data: unknown;
  readonly id: string | null;
}

/** Stops at the signal. Calls `watch` before each read, and the returned function when data has arrived. */
async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  watch: () => () => void,
): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', leave);
  let rest = '';
  try {
    for (;;) {
      const heard = watch();
      const { done, value } = await reader.read().finally(heard);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield* eventOf(block);
    }
  } finally {
    signal.removeEventListener('abort', leave);
    await reader.cancel().catch(() => {});
  }
}

/** Ignores comments and retry times. */
function eventOf(block: string): StreamedEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return [];
  return [{ type: fields.get('event') ?? 'message', data: JSON.parse(data), id: fields.get('id') ?? null }];
}
