// Schema of dependency graphs, as src/report/graph.ts writes them.

import { z } from 'zod';
import { DEPENDENCY_RULES } from '../../job/flow/dependencies.ts';
import { stateSchema } from './job.ts';

const nodeSchema = z
  .object({
    id: z.string().describe("Job ID, or 'group:NAME'"),
    name: z.string().nullable(),
    state: stateSchema.nullable().describe('null for a group'),
    command: z.union([z.string(), z.array(z.string())]).nullable(),
    counts: z
      .partialRecord(stateSchema, z.int())
      .nullable()
      .describe('Number of jobs per state if the node is a group'),
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
    left_out: z.int().describe('Minimum number of jobs that are not included'),
  })
  .meta({ id: 'Graph' });
