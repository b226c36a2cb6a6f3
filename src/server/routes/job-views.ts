// Reports about one job: why it is waiting, and its dependency graph.

import { detailsOf } from '../../report/details.ts';
import { graphOf, graphToJson } from '../../report/graph.ts';
import { sentencesOf, whyToJson } from '../../report/waiting/why.ts';
import { route } from '../route.ts';
import { graphSchema } from '../schema/graph.ts';
import { whySchema } from '../schema/job.ts';
import { jobIdPath } from '../schema/parameters.ts';

export const jobViewRoutes = [
  route({
    id: 'explainJob',
    summary: 'Explain why a job is not running, or how it finished',
    role: 'viewer',
    parameters: jobIdPath,
    answers: { 200: { help: 'The reasons as messages and data', schema: whySchema } },
    handle: async ({ queue, path }) => {
      const details = await detailsOf(queue, await queue.find(path.id));
      const sentences = sentencesOf(details);
      return { json: { ...whyToJson(details, sentences.join('; ')), sentences } };
    },
  }),
  route({
    id: 'getJobGraph',
    summary: 'Get the dependency graph of a job',
    role: 'viewer',
    parameters: jobIdPath,
    isHeavy: true,
    answers: { 200: { help: 'Graph as printed by `queuectl graph --json`', schema: graphSchema } },
    handle: async ({ queue, path }) => {
      const { id } = await queue.find(path.id);
      return { json: graphToJson(await graphOf(queue, id)) };
    },
  }),
];
