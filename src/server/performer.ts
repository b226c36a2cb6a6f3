// Performs a route for an authenticated client, over HTTP or as a tool call: checks the role, limits heavy requests,
// and records changes in the audit log.

import { QueueError } from '../errors/errors.ts';
import type { Read } from './http/read-request.ts';
import { isChange, type Recorder } from './record.ts';
import { enqueuerOf, mayActAs, type Principal } from './role.ts';
import type { Answer, RouteRequest, Route } from './route.ts';
import { untilSent } from './http/line-answer.ts';
import type { Turnstile } from './http/turnstile.ts';

/** Arguments of a handler that do not come from the request's content. */
export type RouteContext = Omit<RouteRequest<unknown, unknown, unknown>, keyof Read>;

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

  /** Throws not_allowed or serves_read_only. */
  check(route: Route, { name, role }: Principal): void {
    if (!mayActAs(role, route.role)) throw new QueueError('not_allowed', { needed: route.role, name, role });
    if (this.options.isReadOnly && isChange(route)) throw new QueueError('serves_read_only');
  }

  /** Call check() first. */
  async perform(route: Route, context: Partial<RouteContext>, read: Read): Promise<Answer> {
    const { recorder } = this.options;
    const { queue, principal } = context as Pick<RouteContext, 'queue' | 'principal'>;
    const own = { ...context, queue: queue.as(enqueuerOf(principal, recorder.via)) };
    const asked = { ...own, ...read } as unknown as RouteRequest<never, never, never>;
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

  /** Returns a function that leaves the turnstiles. */
  private async enter({ isHeavy = false, isTransfer = false }: Route): Promise<() => void> {
    const { heavy, transfers } = this.options;
    const entered: (() => void)[] = [];
    const leave = (): void => entered.forEach((leaveOne) => void leaveOne());
    try {
      if (isTransfer) entered.push(await transfers.enter());
      if (isTransfer || isHeavy) entered.push(await heavy.enter());
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
