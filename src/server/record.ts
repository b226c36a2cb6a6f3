// Records requests that change something in the audit log: actor, operation and target. Of the body, only fields that
// cannot contain secrets are kept.

import type { Queue } from '../queue/queue.ts';
import { isSecretSetting } from '../settings/settings.ts';
import type { ActivityEntry } from '../store/store.ts';
import type { Read } from './http/read-request.ts';
import type { Principal } from './role.ts';
import type { Route } from './route.ts';

/** Fields of bodies whose values are recorded; other values are replaced by an ellipsis. */
const RECORDED = [
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

  /** The change stands even if it cannot be recorded, so a failure is only logged. */
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
  const recorded = setting !== undefined && !isSecretSetting(setting) ? [...RECORDED, 'value'] : RECORDED;
  const fields = Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    value === undefined ? [] : [[name, recorded.includes(name) ? shortened(value) : '…']],
  );
  return fields.length > 0 ? Object.fromEntries(fields) : null;
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_VALUE);
  if (Array.isArray(value)) return value.join(' ').slice(0, LONGEST_VALUE);
  return typeof value === 'object' ? '…' : value;
}
