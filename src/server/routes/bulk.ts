// Bulk operations on jobs: a dry run counts them, then the operation runs in this server until it is done or the server
// stops.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { parseFilter } from '../../filter/filter.ts';
import { CHANGEABLE, type Change } from '../../job/change.ts';
import type { Queue } from '../../queue/queue.ts';
import type { JobFilter } from '../../store/store.ts';
import { bulkToJson } from '../bulk-runs.ts';
import { route } from '../route.ts';
import { bulkSchema, bulkWish, dryRunSchema } from '../schema/bulk.ts';
import { idPath } from '../schema/parameters.ts';
import { holdWith } from './job-actions.ts';

const DEFAULT_SAMPLE = 10;

type Wish = z.output<typeof bulkWish>;

const startBulk = route({
  id: 'changeJobs',
  tag: 'bulk',
  summary: 'Start a bulk operation on jobs by filter or IDs, or count them in a dry run',
  role: 'operator',
  body: bulkWish,
  isHeavy: true,
  answers: {
    200: { help: 'Dry run: the number of jobs', schema: dryRunSchema },
    202: {
      help: 'Bulk operation started; GET /bulk/{id} returns its progress',
      schema: z.object({ bulk: z.string() }),
    },
  },
  handle: async ({ queue, bulk, body, principal }) => {
    const change = changeOf(queue, body);
    const filter = filterOf(queue, body, change);
    const ids = body.ids
      ? await queue.changeableAmong(body.ids, filter, change)
      : await queue.idsToChange(filter, change);
    if (body.dry_run) return { json: { count: ids.length, sample: ids.slice(0, body.sample ?? DEFAULT_SAMPLE) } };
    const { id } = bulk.start({
      action: body.action,
      by: principal.name,
      total: ids.length,
      work: (progress) => queue.changeMany(ids, filter, change, progress),
    });
    return { status: 202, json: { bulk: id } };
  },
});

/** IDs select those jobs, including completed ones; a filter narrows them. */
function filterOf(queue: Queue, { filter, ids }: Wish, { kind }: Change): JobFilter {
  if (filter === undefined && ids === undefined) throw unclear("requires 'filter', 'ids' or both");
  if (filter === undefined) return { states: CHANGEABLE[kind] };
  if (filter.trim() === '') throw unclear("an empty filter would match every job; use 'newer:100w' to match all");
  return parseFilter(filter, queue.now());
}

/** Fields that only one action accepts. Other actions reject them instead of ignoring them. */
const OWN_FIELDS = { reason: 'hold', edit: 'edit', queue: 'move' } as const;

function changeOf(queue: Queue, wish: Wish): Change {
  for (const [field, action] of Object.entries(OWN_FIELDS))
    if (wish[field as keyof typeof OWN_FIELDS] !== undefined && wish.action !== action)
      throw unclear(`'${field}' is only valid for the action '${action}'`);
  switch (wish.action) {
    case 'hold':
      return holdWith(wish.reason);
    case 'edit':
      return { kind: 'edit', edit: queue.readEdit(needed(wish.edit, 'edit'), null, 'utc') };
    case 'move':
      return { kind: 'edit', edit: queue.readEdit({ queue: needed(wish.queue, 'queue') }, null, 'utc') };
    default:
      return { kind: wish.action };
  }
}

function needed<T>(value: T | undefined, field: keyof typeof OWN_FIELDS): T {
  if (value === undefined) throw unclear(`the action '${OWN_FIELDS[field]}' requires '${field}'`);
  return value;
}

const unclear = (problem: string): QueueError => new QueueError('invalid_request', { where: 'the body', problem });

const listBulks = route({
  id: 'listBulks',
  summary: 'List bulk operations since the server was started, newest first',
  role: 'viewer',
  answers: {
    200: { help: 'Bulk operations', schema: z.object({ bulk: z.array(bulkSchema), next: z.null() }) },
  },
  handle: async ({ bulk }) => ({ json: { bulk: bulk.all().map(bulkToJson), next: null } }),
});

const getBulk = route({
  id: 'getBulk',
  summary: 'Get the progress of a bulk operation',
  role: 'viewer',
  parameters: idPath,
  answers: { 200: { help: 'Progress of the operation', schema: bulkSchema } },
  handle: async ({ bulk, path }) => ({ json: bulkToJson(bulk.get(path.id)) }),
});

const stopBulk = route({
  id: 'stopBulk',
  summary: 'Stop a bulk operation; jobs that were already changed stay changed',
  role: 'operator',
  parameters: idPath,
  answers: { 204: { help: 'Stopped or already finished' } },
  handle: async ({ bulk, path }) => {
    bulk.stop(path.id);
    return { status: 204, json: null };
  },
});

export const bulkRoutes = [startBulk, listBulks, getBulk, stopBulk];
