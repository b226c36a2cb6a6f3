// Requests of the command line. A server that has answered once is worth waiting for: when it is restarted, commands
// that follow a job or wait for it go on. A first request that gets nowhere fails at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../errors/errors.ts';
import { isRefused } from '../library/http.ts';
import {
  Caller,
  type Answer,
  type Extra,
  type Parameters,
  type Request,
  type Transport,
} from '../library/caller.ts';
import { OPERATIONS, type OperationId } from '../server/operations.ts';

const PATIENCE_MS = 60_000;
/** A server that died over a request leaves its key taken for a minute. */
const KEYED_PATIENCE_MS = 90_000;
const BETWEEN_TRIES_MS = 250;

export class RemoteCaller extends Caller {
  private readonly version: () => Promise<string>;
  private readonly notice: (sentence: string) => void;
  private hasAnswered = false;

  constructor(transport: Transport, notice: (sentence: string) => void) {
    super(transport);
    this.notice = notice;
    this.version = async () => (await super.call('getSession', {})).version;
  }

  override call<Id extends OperationId>(...request: Request<Id>): Promise<Answer<Id>> {
    return this.patiently(this.mayRepeat(request[0]), () => super.call(...request));
  }

  /**
   * Enqueues jobs once for their key, so that the request can be sent again. `onRepeat` is called before it is: the server may
   * have performed an earlier one.
   */
  async createOnce(text: string, key: string, onRepeat: () => void): Promise<Answer<'createJobs'>> {
    const extra = { text, headers: { 'idempotency-key': key } };
    const mayRepeat = (error: unknown): boolean => {
      const isLost = isUnreachable(error) && (this.hasAnswered || !isRefused((error as Error).cause));
      const isUnderWay = error instanceof QueueError && error.code === 'idempotency_key_busy';
      if (isLost || isUnderWay) onRepeat();
      return isLost || isUnderWay;
    };
    const send = () => super.call('createJobs', {}, undefined, extra);
    return this.patiently(mayRepeat, send, KEYED_PATIENCE_MS);
  }

  override async *lines<T, Id extends OperationId = OperationId>(...request: Request<Id>): AsyncGenerator<T> {
    try {
      for await (const line of super.lines<T, Id>(...request)) {
        this.hasAnswered = true;
        yield line;
      }
    } catch (error) {
      throw await this.inItsWords(error);
    }
  }

  override async *exportLines(wish: Parameters<'exportQueue'>): AsyncGenerator<string> {
    try {
      yield* super.exportLines(wish);
    } catch (error) {
      throw await this.inItsWords(error);
    }
  }

  /** The answer has ended before its end. */
  cutShort(): QueueError {
    return this.lost();
  }

  /** The whole body, and where it stands. */
  async bytes<Id extends OperationId>(
    id: Id,
    parameters: Parameters<Id>,
    extra: Extra,
  ): Promise<{ data: Buffer; headers: Headers }> {
    return this.patiently(this.mayRepeat(id), async () => {
      const response = await this.response(id, parameters, undefined, extra);
      const data = await response.arrayBuffer().catch((error: unknown) => {
        throw this.lost(error);
      });
      return { data: Buffer.from(data), headers: response.headers };
    });
  }

  /** In the text format of Prometheus; not an operation of the API. */
  async metrics(): Promise<string> {
    return this.patiently(this.isWorthRepeating, async () => {
      const response = await this.transport.send('/metrics', { method: 'GET', redirect: 'manual' });
      return this.accepted(response).then((good) => good.text());
    });
  }

  private readonly isWorthRepeating = (error: unknown): boolean => isUnreachable(error) && this.hasAnswered;

  private mayRepeat(id: OperationId): (error: unknown) => boolean {
    return OPERATIONS[id].startsWith('GET ') ? this.isWorthRepeating : () => false;
  }

  private async patiently<T>(
    mayRepeat: (error: unknown) => boolean,
    ask: () => Promise<T>,
    patienceMs = PATIENCE_MS,
  ): Promise<T> {
    const until = performance.now() + patienceMs;
    for (let isFirst = true; ; isFirst = false) {
      try {
        const answer = await ask();
        this.hasAnswered = true;
        if (!isFirst) this.notice('the server is back');
        return answer;
      } catch (error) {
        if (!mayRepeat(error) || performance.now() > until) throw await this.inItsWords(error);
        if (isFirst) this.notice(`${(error as Error).message}; trying again for a minute`);
      }
      await sleep(BETWEEN_TRIES_MS);
    }
  }

  /** A server that does not know what is asked for is too old for it. */
  private async inItsWords(error: unknown): Promise<unknown> {
    if (!(error instanceof QueueError) || error.code !== 'no_such_route') return error;
    return new QueueError('server_too_old', { url: this.transport.name, version: await this.version() });
  }
}

/** The server, or the way to it, is gone; it may come back. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof QueueError && error.code === 'server_unreachable';
