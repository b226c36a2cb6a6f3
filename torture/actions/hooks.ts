// Jobs with hooks, in groups that are retried as soon as one job has failed. No other action touches these jobs, so
// each attempt that ends by itself requires one hook.

import { setTimeout as sleep } from 'node:timers/promises';
import type { NewJobInput } from '../../src/queue/queue.ts';
import type { Arena } from '../arena.ts';
import { type Action, someCommand } from './action.ts';

const LONGEST_WAIT_MS = 4000;

export const enqueueHooked: Action = async (arena, queue, chance) => {
  const group = `hooked-${arena.nextNumber()}`;
  const hook = hookCommand(arena);
  const ids = Array.from({ length: chance.integer(1, 5) }, (_, i) => `${group}-${i}`);
  const jobs = ids.map(
    (id): NewJobInput => ({
      id,
      group,
      command: someCommand(arena, chance),
      max_retries: 0,
      hooks: { on_success: hook, on_failure: hook },
      queue: chance.pick(['default', 'mail']),
    }),
  );
  for (const id of ids) arena.hooked.add(id);
  await queue.enqueue(jobs);
  for (const id of ids) arena.untouched.add(id);
  const until = performance.now() + chance.between(0, LONGEST_WAIT_MS);
  while (performance.now() < until) {
    const dead = await queue.idsOf({ group, states: ['dead'], sort: 'created', descending: false, limit: 1 });
    if (dead.length > 0 && chance.happens(0.7)) {
      for (const id of ids) arena.retried.add(id);
      await queue.rerun(await queue.planRerun([`group:${group}`], 'failed-only'));
    }
    await sleep(chance.between(20, 300));
  }
};

const hookCommand = (arena: Arena): string => `echo "$QUEUECTL_HOOK_DELIVERY" >> "${arena.hookLog}"`;
