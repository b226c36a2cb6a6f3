// Jobs and what they wait for as JSON, described: what src/report/graph.ts writes.

import { z } from 'zod';
import { DEPENDENCY_RULES } from '../../job/flow/dependencies.ts';
import { stateSchema } from './job.ts';

const nodeSchema = z
  .object({
    id: z.string().meta({ description: "The job's id, or 'group:NAME'" }),
    name: z.string().nullable(),
    state: stateSchema.nullable().meta({ description: 'null: a group' }),
    command: z.union([z.string(), z.array(z.string())]).nullable(),
    counts: z
      .partialRecord(stateSchema, z.int())
      .nullable()
      .meta({ description: 'Of a group: how many of its jobs are in each state' }),
  })
  .meta({ id: 'GraphNode' });

const edgeSchema = z
  .object({
    parent: z.string(),
    child: z.string(),
    rule: z.enum([...DEPENDENCY_RULES, 'member']),
  })
  .meta({ id: 'GraphEdge' });

export const graphSchema = z
  .object({
    nodes: z.array(nodeSchema),
    edges: z.array(edgeSchema),
    left_out: z.int().meta({ description: 'How many jobs at least belong here and were too many to show' }),
  })
  .meta({ id: 'Graph' });
