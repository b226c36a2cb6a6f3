// Groups of jobs: reading and changing them as a whole.

import { z } from 'zod';
import { rejectedIn } from '../../job/isolation/rejections.ts';
import { graphOf, graphToJson } from '../../report/graph.ts';
import { groupReport, groupReportToJson, groupToJson } from '../../report/group.ts';
import { cursorOf, readCursor } from '../http/cursor.ts';
import type { OperationId } from '../operations.ts';
import { route } from '../route.ts';
import { graphSchema } from '../schema/graph.ts';
import { changedGroupSchema, groupReportSchema, groupSchema } from '../schema/group.ts';
import { namePath, NO_BODY, positive } from '../schema/parameters.ts';

const MOST_AT_ONCE = 1000;

const listGroups = route({
  id: 'listGroups',
  summary: 'List groups with their progress, newest first',
  role: 'viewer',
  query: z.object({
    limit: positive.max(MOST_AT_ONCE).default(100),
    after: z.string().max(200).optional().describe('`next` of the previous page'),
  }),
  answers: {
    200: {
      help: 'A page of groups',
      schema: z.object({ groups: z.array(groupSchema), next: z.string().nullable() }),
    },
  },
  // Reads the previous pages too. Groups are few, so an index would cost more than it saves.
  handle: async ({ queue, query }) => {
    const scope = [queue.id, 'groups'];
    const from = query.after === undefined ? 0 : readCursor(query.after, scope).seq;
    const end = from + query.limit;
    const groups = await queue.groups.all(end + 1);
    return {
      json: {
        groups: groups.slice(from, end).map(groupToJson),
        next: groups.length > end ? cursorOf({ value: null, seq: end }, scope) : null,
      },
    };
  },
});

const getGroup = route({
  id: 'getGroup',
  summary: 'Get a group with its progress, running and failed jobs',
  role: 'viewer',
  parameters: namePath,
  answers: { 200: { help: 'The group', schema: groupReportSchema } },
  handle: async ({ queue, path }) => ({
    json: groupReportToJson(await groupReport(queue, await queue.groups.get(path.name))),
  }),
});

const getGroupGraph = route({
  id: 'getGroupGraph',
  summary: 'Get the dependency graph of a group',
  role: 'viewer',
  parameters: namePath,
  isHeavy: true,
  answers: { 200: { help: 'Graph as printed by `queuectl graph --json`', schema: graphSchema } },
  handle: async ({ queue, path }) => ({ json: graphToJson(await graphOf(queue, `group:${path.name}`)) }),
});

/** Returns when the change is complete. It runs in batches, so that no other process is blocked. */
const change = <Id extends OperationId>(verb: 'cancel' | 'retry', id: Id, summary: string) =>
  route({
    id,
    summary,
    role: 'operator',
    parameters: namePath,
    ...NO_BODY,
    isHeavy: true,
    answers: {
      200: {
        help: 'The updated group and the number of changed jobs',
        schema: changedGroupSchema,
      },
    },
    handle: async ({ queue, path }) => {
      await queue.groups.get(path.name);
      const { jobs: changed, rejections } = await queue.groups.change(path.name, verb, () => {});
      const group = groupToJson(await queue.groups.get(path.name));
      return { json: { ...group, changed, rejected: rejectedIn(rejections), rejections } };
    },
  });

const deleteGroup = route({
  id: 'deleteGroup',
  summary: 'Delete the jobs of a group that are not running, and the group if it is empty',
  role: 'operator',
  parameters: namePath,
  isHeavy: true,
  answers: { 204: { help: 'Deleted' } },
  handle: async ({ queue, path }) => {
    await queue.groups.get(path.name);
    await queue.groups.change(path.name, 'delete', () => {});
    return { status: 204, json: null };
  },
});

export const groupRoutes = [
  listGroups,
  getGroup,
  getGroupGraph,
  change('cancel', 'cancelGroup', 'Cancel the jobs of a group and stop running ones'),
  change('retry', 'retryGroup', 'Retry the failed and dead jobs of a group'),
  deleteGroup,
];
