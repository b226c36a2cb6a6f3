// Sends the requests of the command line. After the first response, a lost server is worth waiting for: commands that
// follow or wait for a job survive its restart. If the very first request fails, the command fails at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../errors/errors.ts';
import { isRejected } from '../library/http.ts';
import { Caller, type Answer, type Extra, type Parameters, type Request, type Transport } from '../library/caller.ts';
import { OPERATIONS, type OperationId } from '../server/operations.ts';

const PATIENCE_MS = 60_000;
/** Longer than the time for which a crashed server leaves an idempotency key busy. */
const KEYED_PATIENCE_MS = 90_000;
const BETWEEN_TRIES_MS = 250;

export class RemoteCaller extends Caller {
  private readonly notice: (sentence: string) => void;
  private hasAnswered = false;

  constructor(transport: Transport, notice: (sentence: string) => void) {
    super(transport);
    this.notice = notice;
  }

  override call<Id extends OperationId>(...request: Request<Id>): Promise<Answer<Id>> {
    return this.patiently(this.mayRepeat(request[0]), () => super.call(...request));
  }

  /**
   * Enqueues jobs once per key, so that the request can be repeated. Calls `onRepeat` before a repetition, because the
   * server may have performed the earlier request.
   */
  async createOnce(text: string, key: string, onRepeat: () => void): Promise<Answer<'createJobs'>> {
    const extra = { text, headers: { 'idempotency-key': key } };
    const mayRepeat = (error: unknown): boolean => {
      const isLost = isUnreachable(error) && (this.hasAnswered || !isRejected((error as Error).cause));
      const isBusy = error instanceof QueueError && error.code === 'idempotency_key_busy';
      if (isLost || isBusy) onRepeat();
      return isLost || isBusy;
    };
    const send = () => super.call('createJobs', {}, undefined, extra);
    return this.patiently(mayRepeat, send, KEYED_PATIENCE_MS);
  }

  override async response<Id extends OperationId>(...request: Request<Id>): Promise<Response> {
    try {
      const response = await super.response(...request);
      this.hasAnswered = true;
      return response;
    } catch (error) {
      const isUnknown = error instanceof QueueError && error.code === 'no_such_route';
      if (!isUnknown || request[0] === 'getSession') throw error;
      const { version } = await super.call('getSession', {});
      throw new QueueError('server_too_old', { url: this.transport.name, version });
    }
  }

  /** Returns the whole body, and headers with its position. */
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

  /** Returns metrics in the Prometheus text format, which is not an operation of the API. */
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
        if (!mayRepeat(error) || performance.now() > until) throw error;
        if (isFirst) this.notice(`${(error as Error).message}; trying again for a minute`);
      }
      await sleep(BETWEEN_TRIES_MS);
    }
  }
}

/** True if the connection failed, which may be temporary. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof QueueError && error.code === 'server_unreachable';
