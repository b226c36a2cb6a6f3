// Long responses as JSON lines, at the speed of the client, so that memory is bounded. The work stops when the client
// has disconnected. An error becomes the last line.

import { aMoment } from '../../queue/job-control.ts';
import { isServersMistake, problemOf } from './problem.ts';

export const LINES = 'application/x-ndjson';

const CHUNK_BYTES = 65_536;

export interface Lines {
  /** Waits for a slow client. Throws ClientGone. */
  write(line: string): Promise<void>;
  /** Sends progress at once, or drops it if the client is slow, because only the latest progress matters. */
  tell(value: object): void;
  /** True if the client has disconnected. */
  readonly isGone: boolean;
}

/** The client has disconnected, which is not an error. */
export class ClientGone extends Error {}

/** `log` receives server errors. */
export function lineAnswer(work: (lines: Lines) => Promise<void>, log: (line: string) => void): Response {
  const lines = new LineStream();
  void work(lines)
    .catch((error: unknown) => lines.fail(error, log))
    .then(() => lines.end());
  return new Response(lines.stream, { headers: { 'content-type': LINES, 'cache-control': 'no-store' } });
}

class LineStream implements Lines {
  isGone = false;
  readonly stream: ReadableStream<Uint8Array>;
  private controller!: ReadableStreamDefaultController<Uint8Array>;
  private readonly encoder = new TextEncoder();
  private gathered = '';
  private taken = Promise.withResolvers<void>();

  constructor() {
    this.stream = new ReadableStream({
      start: (controller) => {
        this.controller = controller;
      },
      pull: () => this.taken.resolve(),
      cancel: () => {
        this.isGone = true;
        this.taken.resolve();
      },
    });
  }

  async write(line: string): Promise<void> {
    this.gathered += line;
    if (this.gathered.length >= CHUNK_BYTES) await this.flush();
  }

  tell(value: object): void {
    if (this.isGone || (this.controller.desiredSize ?? 0) <= 0) return;
    this.gathered += `${JSON.stringify(value)}\n`;
    this.send();
  }

  async end(): Promise<void> {
    await this.flush().catch(() => {});
    if (!this.isGone) this.controller.close();
  }

  async fail(error: unknown, log: (line: string) => void): Promise<void> {
    if (error instanceof ClientGone || this.isGone) return;
    if (isServersMistake(error)) log(String((error as Error).stack ?? error));
    this.gathered += `${JSON.stringify({ problem: problemOf(error) })}\n`;
  }

  private async flush(): Promise<void> {
    await aMoment(); // yields to other requests, and lets a disconnect be noticed
    while (!this.isGone && (this.controller.desiredSize ?? 0) <= 0) {
      this.taken = Promise.withResolvers();
      await this.taken.promise;
    }
    if (this.isGone) throw new ClientGone();
    this.send();
  }

  private send(): void {
    if (this.gathered !== '') this.controller.enqueue(this.encoder.encode(this.gathered));
    this.gathered = '';
  }
}

/** Returns the same response, and calls `done` when it was sent completely or the client has disconnected. */
export function untilSent(answer: Response, done: () => void): Response {
  const reader = answer.body?.getReader();
  if (!reader) {
    done();
    return answer;
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader.read();
        if (!next.done) return controller.enqueue(next.value);
        done();
        controller.close();
      },
      async cancel(reason) {
        done();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, answer);
}
