// Writes down what was done through routes, by whom and to what: every one that changes something, in one place, from their
// table. Of what was said only words are kept that cannot be a secret.

import type { Queue } from '../queue/queue.ts';
import { isSecretSetting } from '../settings/settings.ts';
import type { ActivityEntry } from '../store/store.ts';
import type { Read } from './http/read-request.ts';
import type { Principal } from './role.ts';
import type { Route } from './route.ts';

/** Fields of a body whose values say what was done, and hold no secret. */
const TELLING = [
  'action',
  'targets',
  'mode',
  'filter',
  'reason',
  'force',
  'concurrency',
  'rate',
  'burst',
  'sandbox',
  'user',
  'name',
  'role',
  'expires',
  'states',
  'older_than_seconds',
  'keep',
  'workers',
  'host',
  'all',
  'skip_existing',
  'jobs_only',
  'wait',
  'dry_run',
];
const LONGEST_VALUE = 200;

export const isChange = ({ method, changes = true }: Route): boolean => method !== 'get' && changes;

export class Recorder {
  private readonly queue: Queue;
  readonly via: Exclude<ActivityEntry['via'], 'worker'>;
  private readonly log: (line: string) => void;

  constructor(queue: Queue, via: Recorder['via'], log: (line: string) => void) {
    this.queue = queue;
    this.via = via;
    this.log = log;
  }

  /** What is done is done: that it could not be written down goes to the log of the server. */
  async record(route: Route, { name }: Principal, { path, body }: Read): Promise<void> {
    if (!(route.isRecorded ?? isChange(route)) || isDryRun(body)) return;
    const parameters = Object.values((path ?? {}) as Record<string, string>);
    const entry = { action: route.id, target: parameters.join(' ') || null, detail: detailOf(path, body) };
    try {
      await this.queue.activity.record({ at: this.queue.now(), actor: name, via: this.via, ...entry });
    } catch (error) {
      this.log(`${route.id} by ${name} could not be recorded: ${(error as Error).message}`);
    }
  }
}

const isDryRun = (body: unknown): boolean => (body as { dry_run?: unknown } | undefined)?.dry_run === true;

function detailOf(path: unknown, body: unknown): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const setting = (path as { key?: string } | undefined)?.key;
  const telling = setting !== undefined && !isSecretSetting(setting) ? [...TELLING, 'value'] : TELLING;
  const told = Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    value === undefined ? [] : [[name, telling.includes(name) ? shortened(value) : '…']],
  );
  return told.length > 0 ? Object.fromEntries(told) : null;
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_VALUE);
  if (Array.isArray(value)) return value.join(' ').slice(0, LONGEST_VALUE);
  return typeof value === 'object' ? '…' : value;
}
