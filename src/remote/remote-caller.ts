// Requests of the command line. A server that has answered once is worth waiting for: when it is started again, whoever
// follows a job or waits for it goes on. A first request that gets nowhere fails at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../errors.ts';
import { type Call, Caller, type Method, type Transport } from '../library/caller.ts';

const PATIENCE_MS = 60_000;
const BETWEEN_TRIES_MS = 250;

export class RemoteCaller extends Caller {
  private readonly version: () => Promise<string>;
  private readonly notice: (sentence: string) => void;
  private hasAnswered = false;

  constructor(transport: Transport, notice: (sentence: string) => void) {
    super(transport);
    this.notice = notice;
    this.version = async () => (await super.json<{ version: string }>('GET', '/session')).version;
  }

  override async json<T>(method: Method, path: string, call: Call = {}): Promise<T> {
    return this.patiently(method, () => super.json<T>(method, path, call));
  }

  /** The whole body, and where it stands. */
  async bytes(path: string, call: Call): Promise<{ data: Buffer; headers: Headers }> {
    return this.patiently('GET', async () => {
      const response = await this.response('GET', path, call);
      const data = await response.arrayBuffer().catch((error: unknown) => {
        throw this.lost(error);
      });
      return { data: Buffer.from(data), headers: response.headers };
    });
  }

  /** Not of the API itself: /metrics. */
  async text(path: string): Promise<string> {
    return this.patiently('GET', async () => {
      const response = await this.transport.send(path, { method: 'GET', redirect: 'manual' });
      return this.accepted(response).then((good) => good.text());
    });
  }

  private async patiently<T>(method: Method, ask: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (let isFirst = true; ; isFirst = false) {
      try {
        const answer = await ask();
        this.hasAnswered = true;
        if (!isFirst) this.notice('the server is back');
        return answer;
      } catch (error) {
        if (error instanceof QueueError && error.code === 'no_such_route') throw await this.tooOld();
        const isLost = error instanceof QueueError && error.code === 'server_unreachable';
        if (!isLost || !this.hasAnswered || method !== 'GET' || performance.now() > until) throw error;
        if (isFirst) this.notice(`${error.message}; trying again for a minute`);
      }
      await sleep(BETWEEN_TRIES_MS);
    }
  }

  private async tooOld(): Promise<QueueError> {
    return new QueueError('server_too_old', { url: this.transport.name, version: await this.version() });
  }

  private lost(cause: unknown): QueueError {
    const details = { url: this.transport.name, problem: 'the connection was lost' };
    return new QueueError('server_unreachable', details, { cause });
  }
}
