// A route for somebody who is known: whether that one may have it, then what it does; and what was done is written down. The
// same for a request over HTTP and for the call of a tool.

import { QueueError } from '../errors/errors.ts';
import type { Read } from './http/read-request.ts';
import { isChange, type Recorder } from './record.ts';
import { enqueuerOf, mayActAs, type Principal } from './role.ts';
import type { Answer, Asked, Route } from './route.ts';
import { untilSent } from './http/line-answer.ts';
import type { Turnstile } from './http/turnstile.ts';

/** What a route is given besides what was said in the request. */
export type RouteContext = Omit<Asked<unknown, unknown, unknown>, keyof Read>;

export interface PerformerOptions {
  readonly heavy: Turnstile;
  readonly transfers: Turnstile;
  readonly recorder: Recorder;
  readonly isReadOnly: boolean;
}

export class Performer {
  private readonly options: PerformerOptions;

  constructor(options: PerformerOptions) {
    this.options = options;
  }

  /** Else not_allowed or serves_read_only. */
  check(route: Route, { name, role }: Principal): void {
    if (!mayActAs(role, route.role)) throw new QueueError('not_allowed', { needed: route.role, name, role });
    if (this.options.isReadOnly && isChange(route)) throw new QueueError('serves_read_only');
  }

  /** Of a request that was checked. */
  async perform(route: Route, context: Partial<RouteContext>, read: Read): Promise<Answer> {
    const { recorder } = this.options;
    const { queue, principal } = context as Pick<RouteContext, 'queue' | 'principal'>;
    const own = { ...context, queue: queue.as(enqueuerOf(principal, recorder.via)) };
    const asked = { ...own, ...read } as unknown as Asked<never, never, never>;
    const leave = await this.enter(route);
    try {
      const answer = await route.handle(asked);
      await recorder.record(route, asked.principal, read);
      if (answer instanceof Response && route.isTransfer) return untilSent(answer, leave);
      leave();
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Returns how to leave. */
  private async enter({ isHeavy = false, isTransfer = false }: Route): Promise<() => void> {
    const { heavy, transfers } = this.options;
    if (isTransfer) return enterBoth(transfers, heavy);
    return isHeavy ? heavy.enter() : () => {};
  }
}

async function enterBoth(first: Turnstile, second: Turnstile): Promise<() => void> {
  const leaveFirst = await first.enter();
  try {
    const leaveSecond = await second.enter();
    return () => {
      leaveSecond();
      leaveFirst();
    };
  } catch (error) {
    leaveFirst();
    throw error;
  }
}
