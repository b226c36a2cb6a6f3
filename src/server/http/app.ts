// The server without its socket. Processes a request in this order: check the host name, check the origin,
// authenticate, check the role, validate, perform the route.

import { type Context, Hono } from 'hono';
import { errorKinds, QueueError } from '../../errors/errors.ts';
import type { Queue } from '../../queue/queue.ts';
import { Arrivals } from '../arrivals.ts';
import { prometheusText } from '../../report/metrics/prometheus.ts';
import { scrapeOf } from '../../report/metrics/scrape.ts';
import type { Gate } from '../auth/gate.ts';
import type { Ports } from '../auth/local-account.ts';
import type { BulkRuns } from '../bulk-runs.ts';
import { LIMITS, type Limits } from './server-limits.ts';
import type { Hub } from '../live/hub.ts';
import { openApiDocument } from './openapi.ts';
import type { PageFiles } from './page.ts';
import { Performer } from '../performer.ts';
import { isServersMistake, problemResponse } from './problem.ts';
import { readinessOf } from './readiness.ts';
import { Recorder } from '../record.ts';
import { readRequest } from './read-request.ts';
import type { Principal } from '../role.ts';
import { type Outgoing, responseOf, withSafeHeaders } from './response.ts';
import type { Route, ServerSide } from '../route.ts';
import { ROUTES } from '../routes/routes.ts';
import { Turnstile } from './turnstile.ts';
import { Uploads } from '../uploads.ts';

export const API = '/api/v1';

export interface AppOptions {
  readonly queue: Queue;
  readonly bulk: BulkRuns;
  readonly gate: Gate;
  readonly live: Hub;
  /** Default: a new one. */
  readonly uploads?: Uploads;
  readonly limits?: Limits;
  readonly routes?: readonly Route[];
  readonly page: PageFiles;
  readonly version: string;
  readonly isReadOnly: boolean;
  readonly log: (line: string) => void;
  /** Source of the requests, for the audit log. */
  readonly via?: Recorder['via'];
}

export interface App {
  fetch(request: Request, env: Incoming): Promise<Response>;
}

export function makeApp(options: AppOptions): App {
  const {
    queue,
    bulk,
    gate,
    live,
    page,
    version,
    isReadOnly,
    log,
    limits = LIMITS,
    routes = ROUTES,
    via = 'http',
    uploads = new Uploads(limits),
  } = options;
  const app = new Hono<{ Bindings: Incoming }>();
  const heavy = new Turnstile(limits);
  const whyNotReady = readinessOf(queue);
  const arrivals = new Arrivals(queue);
  const transfers = new Turnstile({ ...limits, heavyAtOnce: limits.transfersAtOnce });
  const recorder = new Recorder(queue, via, log);
  const performer = new Performer({ heavy, transfers, recorder, isReadOnly });
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const reason = await whyNotReady();
    return reason === null ? context.json({ status: 'ready' }) : context.json({ status: 'not ready', reason }, 503);
  });
  app.get('/metrics', async (context) => {
    gate.checkOrigin(context.req.raw);
    await gate.identify(context.req.raw);
    const scrape = await heavy.run(() => scrapeOf(queue, version));
    return context.body(prometheusText(scrape), 200, { 'content-type': PROMETHEUS_TYPE });
  });
  app.get('/openapi.json', (context) => context.json(openApiDocument(version)));
  for (const route of routes)
    app.on(route.method, pathOf(route), ({ req, env }) => answer(route, req.raw, req.param(), env));
  app.get('*', (context) => pageResponse(page, context));
  app.notFound((context) => problemResponse(new QueueError('no_such_route', { path: context.req.path })));
  app.onError(failed);
  return {
    async fetch(request, env) {
      try {
        gate.checkHost(request);
        expectPlainPath(env);
        return withSafeHeaders(await app.fetch(request, env));
      } catch (error) {
        return withSafeHeaders(failed(error));
      }
    },
  };

  function failed(error: unknown): Response {
    if (isServersMistake(error)) log(`${String((error as Error).stack ?? error)}`);
    return problemResponse(error, retryAfter(error));
  }

  async function answer(
    route: Route,
    request: Request,
    parameters: Record<string, string>,
    env: Incoming,
  ): Promise<Response> {
    gate.checkOrigin(request);
    const principal = route.isOpen ? NOBODY : await gate.identify(request);
    performer.check(route, principal);
    const read = await readRequest(route, request, parameters, limits.bodyBytes);
    const isStillAllowed = (): Promise<boolean> =>
      gate.identify(request).then(({ role }) => role === principal.role, isTrouble);
    const hangUp = (): void => void env.outgoing?.destroy();
    const server: ServerSide = {
      gate,
      version,
      isReadOnly,
      peer: peerOf(env),
      ports: env.incoming?.socket ?? {},
      limits,
      log,
    };
    const tools = {
      queue,
      bulk,
      arrivals,
      uploads,
      live,
      principal,
      request,
      server,
      isStillAllowed,
      hangUp,
    };
    const answered = await performer.perform(route, tools, read);
    if (route.endsSessions) void live.recheck();
    return responseOf(answered, request.method === 'HEAD' ? undefined : env.outgoing);
  }
}

/** What the socket provides in addition to the request. */
export interface Incoming {
  readonly incoming?: {
    /** Unnormalized. */
    readonly url?: string | undefined;
    readonly socket: Ports & { readonly remoteAddress?: string | undefined };
  };
  readonly outgoing?: Outgoing;
}

const DOTS = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/**
 * Rejects dot segments. URL parsing removes them, which would select another route: /queues/../pause would be /pause.
 */
function expectPlainPath({ incoming }: Incoming): void {
  const [path = ''] = incoming?.url?.split('?', 1) ?? [];
  if (DOTS.test(path)) throw new QueueError('no_such_route', { path });
}

const peerOf = (env: Incoming): string => env.incoming?.socket.remoteAddress ?? 'unknown';

/** Content type of the Prometheus text format. */
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const NOBODY: Principal = { name: 'nobody', role: 'viewer' };

const RETRY_AFTER_SECONDS = '2';

function retryAfter(error: unknown): Record<string, string> {
  if (!(error instanceof QueueError)) return {};
  if (error.code === 'too_many_logins') return { 'retry-after': String(error.details.seconds) };
  return error.code === 'too_busy' ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
}

/** A failed check does not mean that the client has lost its access. */
const isTrouble = (error: unknown): boolean =>
  !(error instanceof QueueError) || errorKinds()[error.code].http !== UNAUTHORIZED;

const UNAUTHORIZED = 401;

/** Paths below /api are for programs, which need an error instead of the dashboard. */
function pageResponse(page: PageFiles, { req }: Context): Response {
  const answer = req.path === '/api' || req.path.startsWith('/api/') ? null : page.answer(req.raw);
  if (answer) return answer;
  throw new QueueError('no_such_route', { path: req.path });
}

/** Converts /jobs/{id} to the format of the router. */
const pathOf = ({ path }: Route): string => `${API}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
