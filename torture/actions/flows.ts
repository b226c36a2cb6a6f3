// Jobs with dependencies: chains, diamonds, and jobs that depend on a whole group, with every rule and policy. Soon
// after, a user cancels, deletes, retries or reruns one of them. The allowed order is recorded before the jobs are
// enqueued.

import { setTimeout as sleep } from 'node:timers/promises';
import { DEPENDENCY_RULES, FAILURE_POLICIES } from '../../src/job/flow/dependencies.ts';
import { RERUN_MODES } from '../../src/job/flow/rerun.ts';
import type { NewJobInput, Queue } from '../../src/queue/queue.ts';
import type { Arena } from '../arena.ts';
import type { Chance } from '../chance.ts';
import { type Action, enqueueAll, someCommand } from './action.ts';

/** Maximum number of blocked jobs; more would only wait longer. */
const BLOCKED = 100;

interface Node {
  readonly name: string;
  readonly after: readonly string[];
}

const CHAIN: readonly Node[] = [
  { name: 'a', after: [] },
  { name: 'b', after: ['a'] },
  { name: 'c', after: ['b'] },
  { name: 'd', after: ['c'] },
];
const DIAMOND: readonly Node[] = [
  { name: 'a', after: [] },
  { name: 'b', after: ['a'] },
  { name: 'c', after: ['a'] },
  { name: 'd', after: ['b', 'c'] },
];
const JOIN: readonly Node[] = [
  { name: 'a', after: [] },
  { name: 'b', after: [] },
  { name: 'c', after: [] },
  { name: 'd', after: ['a', 'b', 'c'] },
];

export const enqueueFlow: Action = async (arena, queue, chance) => {
  const { queues } = await queue.overview();
  if (queues.reduce((sum, { counts }) => sum + counts.blocked, 0) > BLOCKED) return;
  const jobs = chance.happens(0.6) ? linked(arena, chance) : grouped(arena, chance);
  const ids = (await enqueueAll(arena, queue, jobs)).map(({ id }) => id);
  if (chance.happens(0.3)) return;
  await sleep(chance.between(0, 1500));
  await meddle(arena, queue, chance, ids);
};

function linked(arena: Arena, chance: Chance): NewJobInput[] {
  const prefix = `flow-${arena.nextNumber()}-`;
  const shape = chance.pick([CHAIN, DIAMOND, JOIN]) ?? CHAIN;
  return shape.map(({ name, after }) => {
    const edges = after.map((on) => ({ on: prefix + on, rule: someRule(chance) }));
    const onFailure = somePolicy(chance);
    arena.waits.set(prefix + name, {
      edges: edges.map(({ on, rule }) => ({ jobs: [on], isGroup: false, rule })),
      onFailure,
    });
    return {
      ...someJob(arena, chance),
      id: prefix + name,
      ...(edges.length > 0 && { depends_on: edges }),
      on_dependency_failure: onFailure,
    };
  });
}

/** Half of the groups have a permanent limit. */
function grouped(arena: Arena, chance: Chance): NewJobInput[] {
  const group = `group-${arena.nextNumber()}`;
  const limit = chance.happens(0.5) ? chance.integer(1, 2) : null;
  const gates = limit === null ? [] : [{ name: `group:${group}`, limit }];
  const names = Array.from({ length: chance.integer(2, 6) }, (_, i) => `${group}-${i}`);
  const members = names.map((id): NewJobInput => {
    const command = someCommand(arena, chance, { gates });
    return { ...someJob(arena, chance), command, id, group, group_concurrency: limit };
  });
  const rule = someRule(chance);
  const onFailure = somePolicy(chance);
  const id = `${group}-then`;
  arena.waits.set(id, { edges: [{ jobs: names, isGroup: true, rule }], onFailure });
  const then = { depends_on: [{ on: `group:${group}`, rule }], on_dependency_failure: onFailure };
  return [...members, { ...someJob(arena, chance), id, ...then }];
}

const someRule = (chance: Chance) => chance.pick(['success', ...DEPENDENCY_RULES] as const) ?? 'success';
const somePolicy = (chance: Chance) => chance.pick(FAILURE_POLICIES) ?? 'cancel';

const someJob = (arena: Arena, chance: Chance): NewJobInput => ({
  command: someCommand(arena, chance),
  max_retries: chance.integer(0, 1),
  backoff_base: 0.1,
  backoff_strategy: 'fixed',
  queue: chance.pick(['default', 'mail']),
});

async function meddle(arena: Arena, queue: Queue, chance: Chance, ids: readonly string[]): Promise<void> {
  const id = chance.pick(ids) ?? '';
  const what = chance.pick([cancel, remove, retry, rerun, rerunGroup]) ?? cancel;
  await what(arena, queue, id, chance);
}

type Meddling = (arena: Arena, queue: Queue, id: string, chance: Chance) => Promise<unknown>;

const cancel: Meddling = (_, queue, id) => queue.cancel([id]);

const remove: Meddling = async (arena, queue, id) => {
  arena.doubtful.add(id);
  await queue.remove([id]);
  arena.acknowledged.delete(id);
};

const retry: Meddling = (arena, queue, id) => {
  arena.retried.add(id);
  return queue.retry([id]);
};

const rerun: Meddling = (arena, queue, id, chance) => rerunPart(arena, queue, id, chance);

/** Applies to the job itself if it has no group. */
const rerunGroup: Meddling = async (arena, queue, id, chance) => {
  const group = (await queue.get(id))?.group;
  await rerunPart(arena, queue, group ? `group:${group}` : id, chance);
};

const rerunPart = async (arena: Arena, queue: Queue, target: string, chance: Chance): Promise<void> => {
  const plan = await queue.planRerun([target], chance.pick(RERUN_MODES) ?? 'all');
  for (const again of [...plan.retry, ...plan.block]) arena.retried.add(again);
  await queue.rerun(plan);
};
