// What a route is: data, from which the router, the checks of a request and the OpenAPI document are all made.
// A route's handler gets a request that was checked whole, from somebody who may make it.

import type { z } from 'zod';
import type { Queue } from '../queue/queue.ts';
import type { Arrivals } from './arrivals.ts';
import type { Gate } from './auth/gate.ts';
import type { Ends } from './auth/local-account.ts';
import type { BulkRuns } from './bulk-runs.ts';
import type { Limits } from './http/server-limits.ts';
import type { Hub } from './live/hub.ts';
import { type Method, OPERATIONS, type OperationId } from './operations.ts';
import type { Principal, Role } from './role.ts';
import type { Uploads } from './uploads.ts';

/** A request, understood. */
export interface Asked<Path, Query, Body> {
  readonly queue: Queue;
  /** Changes of many jobs that go on in this server. */
  readonly bulk: BulkRuns;
  /** The way in for new jobs, which gathers those of many requests. */
  readonly arrivals: Arrivals;
  /** Files that are on their way in, to be imported. */
  readonly uploads: Uploads;
  readonly principal: Principal;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** Streams of what changes. */
  readonly live: Hub;
  /** For answers that last: whether the caller may still have them, in the same role. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Ends the connection, whatever is still on its way. */
  readonly hangUp: () => void;
  readonly server: ServerSide;
}

/** What a route may need of the server itself. */
export interface ServerSide {
  readonly gate: Gate;
  readonly version: string;
  readonly isReadOnly: boolean;
  /** The address at the other end of the connection. */
  readonly peer: string;
  /** Both ends of the connection. */
  readonly ends: Ends;
  readonly limits: Limits;
  /** For mistakes of the server that no answer can tell any more. */
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
  readonly means: string;
  readonly schema?: z.ZodType;
  /** Of an answer that is not JSON. */
  readonly contentType?: string;
}

export interface Route {
  readonly method: Method;
  /** Below /api/v1, with parameters in braces: /jobs/{id}. */
  readonly path: string;
  /** The name of the operation in the document, unique: listJobs. */
  readonly id: string;
  /** The noun it is about. */
  readonly tag: string;
  readonly summary: string;
  readonly role: Role;
  /** For callers who have not logged in yet. */
  readonly isOpen?: boolean;
  /** false: it changes nothing, though it is not a GET. */
  readonly changes?: boolean;
  /** Somebody may have lost the right to listen by it. */
  readonly endsSessions?: boolean;
  /** false: what it does is not written down as activity. true: it is, though it only reads. */
  readonly isRecorded?: boolean;
  readonly parameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers that mean something to it, by their names in small letters. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is bytes, which the handler reads itself: what they are. */
  readonly bytes?: string;
  /** A request without a body means an empty object. */
  readonly isBodyOptional?: boolean;
  /** It may take long: few of these are worked on at a time. */
  readonly isHeavy?: boolean;
  /** It sends a whole queue or takes one in: heavy, and fewer still, until the answer has been sent whole. */
  readonly isTransfer?: boolean;
  /** By status. Errors need not be named: every route answers them alike. */
  readonly answers: Readonly<Record<number, Answers>>;
  readonly handle: (asked: Asked<never, never, never>) => Promise<Answer>;
}

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type Described<Id, Path, Query, Body, Answered> = Omit<
  Route,
  'method' | 'path' | 'id' | 'parameters' | 'query' | 'body' | 'answers' | 'handle'
> & {
  readonly id: Id;
  readonly parameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Answered;
  readonly handle: (asked: Asked<Read<Path>, Read<Query>, Read<Body>>) => Promise<Answer>;
};

/** A route that clients can call by its id, with the types of its schemas. */
export interface Operation<Id extends OperationId, Types> extends Route {
  readonly id: Id;
  /** Only a type: there is no such value. */
  readonly types?: Types;
}

/** What a client says and gets. Texts of a query become numbers at the server, so that clients give numbers. */
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

/** A body that a client may also have as read-only data; any object stands for a record of unknown values. */
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

/** Ties the types of a handler and of its clients to the schemas. Method and path are those of the operation table. */
export function route<
  const Id extends OperationId,
  const Answered extends Route['answers'],
  Path extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  described: Described<Id, Path, Query, Body, Answered>,
): Operation<Id, TypesOf<Path, Query, Body, Answered>> {
  const [method = '', path = ''] = OPERATIONS[described.id].split(' ');
  return { ...described, method: method.toLowerCase() as Method, path } as never;
}

/** A route outside the operation table: no client calls it. */
export const unlistedRoute = <
  Path extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  described: Described<string, Path, Query, Body, Route['answers']> & Pick<Route, 'method' | 'path'>,
): Route => described as never;
