// Reports of a server, in the types that commands use.

import { isoTime } from '../job/wire.ts';
import type { Reports } from '../queue/interface.ts';
import { attemptFrom, jobFrom, queueFrom, statusFrom, waitFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { pagesOf } from './remote-jobs.ts';

export const remoteReports = (caller: RemoteCaller): Reports => ({
  status: async (queue) => statusFrom(await caller.call('getStats', { queue }), Date.now()),
  details: async ({ id }) => {
    const json = await caller.call('getJob', { id });
    return {
      now: Date.now(),
      job: jobFrom(json),
      environment: json.environment,
      history: json.history.map(attemptFrom),
      waits: json.waiting_reasons.map(waitFrom),
      logFile: null,
      spansHosts: true,
    };
  },
  graph: async (target) => {
    const { left_out: leftOut, ...graph } = await (target.startsWith('group:')
      ? caller.call('getGroupGraph', { name: target.slice(6) })
      : caller.call('getJobGraph', { id: target }));
    return { ...graph, leftOut };
  },
  queues: async () => (await caller.call('listQueues', {})).queues.map(queueFrom),
  queue: async (name) => queueFrom(await caller.call('getQueue', { name })),
  metrics: () => caller.call('getMetrics', {}),
  series: ({ from, to, stepMs, queue }) =>
    caller.call('getSeries', {
      from: isoTime(from) ?? undefined,
      to: isoTime(to) ?? undefined,
      step: stepMs === undefined ? undefined : Math.ceil(stepMs / 1000),
      queue,
    }),
  prometheus: () => caller.metrics(),
  pages: (query) => pagesOf(caller, query),
});
