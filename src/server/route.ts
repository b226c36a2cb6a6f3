// A route is data: the router, request validation and the OpenAPI document are derived from it. Its handler only
// receives valid requests from clients with the required role.

import type { z } from 'zod';
import type { Queue } from '../queue/queue.ts';
import type { Arrivals } from './arrivals.ts';
import type { Gate } from './auth/gate.ts';
import type { Ports } from './auth/local-account.ts';
import type { BulkRuns } from './bulk-runs.ts';
import type { Limits } from './http/server-limits.ts';
import type { Hub } from './live/hub.ts';
import { type Method, OPERATIONS, type OperationId } from './operations.ts';
import type { Principal, Role } from './role.ts';
import type { Uploads } from './uploads.ts';

export interface RouteRequest<Path, Query, Body> {
  readonly queue: Queue;
  /** Bulk operations of this server. */
  readonly bulk: BulkRuns;
  /** Stores the new jobs of concurrent requests together. */
  readonly arrivals: Arrivals;
  /** Files being uploaded for an import. */
  readonly uploads: Uploads;
  readonly principal: Principal;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** Event streams. */
  readonly live: Hub;
  /** For long responses: whether the client still has access with the same role. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Closes the connection at once. */
  readonly hangUp: () => void;
  readonly server: ServerSide;
}

/** Properties of the server that a route may need. */
export interface ServerSide {
  readonly gate: Gate;
  readonly version: string;
  readonly isReadOnly: boolean;
  /** Address of the connection's peer. */
  readonly peer: string;
  readonly ports: Ports;
  readonly limits: Limits;
  /** Logs server errors that occur after the response has begun. */
  readonly log: (line: string) => void;
}

/** Data that becomes JSON, or a response of another kind. */
export type Answer = Json | Response;

export interface Json {
  readonly status?: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answers {
  readonly help: string;
  readonly schema?: z.ZodType;
  /** Default: JSON. */
  readonly contentType?: string;
}

export interface Route {
  readonly method: Method;
  /** Below /api/v1, with parameters in braces: /jobs/{id}. */
  readonly path: string;
  /** Operation ID in the OpenAPI document, such as listJobs. */
  readonly id: string;
  /** In the OpenAPI document. */
  readonly tag: string;
  readonly summary: string;
  readonly role: Role;
  /** Requires no authentication. */
  readonly isOpen?: boolean;
  /** False for a request other than GET that changes nothing. */
  readonly changes?: boolean;
  /** May end sessions, so that open streams must be checked again. */
  readonly endsSessions?: boolean;
  /** Whether the request is recorded in the audit log. Default: if it changes something. */
  readonly isRecorded?: boolean;
  readonly parameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Request headers by their lower-case names. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Description of a binary body, which the handler reads itself. */
  readonly bytes?: string;
  /** A missing body counts as an empty object. */
  readonly isBodyOptional?: boolean;
  /** May take long: only a few such requests run at once. */
  readonly isHeavy?: boolean;
  /** Exports or imports a queue: a heavy request with a lower limit, which counts until the response is complete. */
  readonly isTransfer?: boolean;
  /** By status, without errors, which have the same format for every route. */
  readonly answers: Readonly<Record<number, Answers>>;
  readonly handle: (asked: RouteRequest<never, never, never>) => Promise<Answer>;
}

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type Described<Id, Path, Query, Body, Answered> = Omit<
  Route,
  'method' | 'path' | 'id' | 'tag' | 'parameters' | 'query' | 'body' | 'answers' | 'handle'
> & {
  readonly id: Id;
  /** Default: the first word of the path. */
  readonly tag?: string;
  readonly parameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Answered;
  readonly handle: (asked: RouteRequest<Read<Path>, Read<Query>, Read<Body>>) => Promise<Answer>;
};

export interface Operation<Id extends OperationId, Types> extends Route {
  readonly id: Id;
  /** For type inference only; never set. */
  readonly types?: Types;
}

/** Types for clients. Query values that the server converts to numbers are numbers here. */
interface TypesOf<Path, Query, Body, Answered> {
  readonly parameters: (Path extends z.ZodType ? z.input<Path> : unknown) &
    (Query extends z.ZodType ? Sent<z.input<Query>, z.output<Query>> : unknown);
  readonly body: Body extends z.ZodType ? Given<z.input<Body>> : undefined;
  readonly answer: {
    [Status in keyof Answered]: Answered[Status] extends { readonly schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : null;
  }[keyof Answered];
}

/** Accepts read-only data, and any object for a record of unknown values. */
type Given<T> = T extends readonly (infer One)[]
  ? readonly Given<One>[]
  : T extends object
    ? string extends keyof T
      ? unknown extends T[string & keyof T]
        ? object
        : Readonly<T>
      : { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

type Sent<Input, Output> = {
  [Name in keyof Input]:
    | (unknown extends Input[Name] ? Output[Name & keyof Output] : Input[Name])
    | (undefined extends Input[Name] ? undefined : never);
};

/** Derives the types of the handler and of clients from the schemas, and method and path from the operation table. */
export function route<
  const Id extends OperationId,
  const Answered extends Route['answers'],
  Path extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(described: Described<Id, Path, Query, Body, Answered>): Operation<Id, TypesOf<Path, Query, Body, Answered>> {
  const [method = '', path = ''] = OPERATIONS[described.id].split(' ');
  return unlistedRoute({ ...described, method: method.toLowerCase() as Method, path }) as never;
}

/** A route outside the operation table, which no client calls. */
export const unlistedRoute = <
  Path extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  described: Described<string, Path, Query, Body, Route['answers']> & Pick<Route, 'method' | 'path'>,
): Route => ({ tag: described.path.split('/')[1], ...described }) as never;
