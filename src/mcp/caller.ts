// Executes tool calls with the caller's permissions. An error becomes a result with the code, message and hint of the
// command line.

import type { Json } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import { Arrivals } from '../server/arrivals.ts';
import { BulkRuns } from '../server/bulk-runs.ts';
import { LIMITS } from '../server/http/server-limits.ts';
import { Performer } from '../server/performer.ts';
import { isServersMistake, problemOf } from '../server/http/problem.ts';
import { isChange, Recorder } from '../server/record.ts';
import { mayActAs, type Principal } from '../server/role.ts';
import type { Answer } from '../server/route.ts';
import { Turnstile } from '../server/http/turnstile.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

export interface CallerOptions {
  readonly queue: Queue;
  readonly principal: Principal;
  readonly isReadOnly: boolean;
  readonly log: (line: string) => void;
}

export interface Call {
  readonly arguments: Arguments;
  /** Trace context of the caller. */
  readonly traceparent?: string | undefined;
  /** Aborted if the client has cancelled the call. */
  readonly signal: AbortSignal;
}

export interface Called {
  readonly isError: boolean;
  /** The route's response, or code, message and hint. */
  readonly json: Json;
}

export class Caller {
  /** Tools that this caller may use. */
  readonly tools: readonly Tool[];
  private readonly options: CallerOptions;
  private readonly bulk: BulkRuns;
  private readonly arrivals: Arrivals;
  private readonly performer: Performer;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(options: CallerOptions) {
    const { queue, principal, isReadOnly, log } = options;
    this.options = options;
    this.bulk = new BulkRuns(queue);
    this.arrivals = new Arrivals(queue);
    const recorder = new Recorder(queue, 'mcp', log);
    const heavy = new Turnstile(LIMITS);
    this.performer = new Performer({ heavy, transfers: heavy, recorder, isReadOnly });
    this.tools = TOOLS.filter(({ route }) => mayActAs(principal.role, route.role) && !(isReadOnly && isChange(route)));
  }

  /** Accepts any tool; a forbidden one yields an error result. Never rejects. */
  async call(tool: Tool, call: Call): Promise<Called> {
    const answered = this.answerTo(tool, call);
    this.underWay.add(answered);
    try {
      return { isError: false, json: jsonOf(await answered) };
    } catch (error) {
      return { isError: true, json: this.problemIn(tool, error) };
    } finally {
      this.underWay.delete(answered);
    }
  }

  /** Waits for pending audit entries. */
  async close(): Promise<void> {
    await this.bulk.close();
    await Promise.allSettled(this.underWay);
  }

  private async answerTo({ route, ...tool }: Tool, call: Call): Promise<Answer> {
    const { queue, principal: caller, isReadOnly } = this.options;
    this.performer.check(route, caller);
    // Only admins see values of variables; a read-only agent reads as a viewer, whatever its role.
    const principal: Principal = isReadOnly ? { ...caller, role: 'viewer' } : caller;
    const read = readArguments({ route, ...tool }, call.arguments);
    const request = new Request('http://tools.invalid/', {
      headers: headersOf({ ...(read.headers as object), traceparent: call.traceparent }),
      signal: call.signal,
    });
    const { bulk, arrivals } = this;
    // Tools use only routes with a single JSON response: none of them streams or handles authentication.
    return this.performer.perform(route, { queue, bulk, arrivals, principal, request }, read);
  }

  private problemIn({ name }: Tool, error: unknown): Json {
    if (isServersMistake(error)) this.options.log(`${name}: ${String((error as Error).stack ?? error)}`);
    const { code, detail, hint } = problemOf(error);
    return { code, message: detail, hint };
  }
}

const headersOf = (headers: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );

/** An empty response becomes a confirmation. */
function jsonOf(answer: Answer): Json {
  if (answer instanceof Response) throw new Error('a tool can only return JSON');
  return answer.status === 204 ? { done: true } : (answer.json as Json);
}
