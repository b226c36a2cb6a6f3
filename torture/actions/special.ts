// Jobs with special features: arrays, snoozing jobs, and jobs that are pruned soon after they finish.

import { join } from 'node:path';
import { FINAL_STATES } from '../../src/job/job.ts';
import type { NewJobInput } from '../../src/queue/queue.ts';
import { type Action, enqueueAll, someCommand } from './action.ts';

/** The queue whose finished jobs are pruned. Nothing else touches its jobs. */
const FLEETING = 'fleeting';
const SNOOZE_CODE = 75;
/** ID prefix of snoozing jobs. */
export const SNOOZING = 'snoozing-';

export const enqueueArray: Action = async (arena, _, chance) => {
  const size = chance.integer(2, 8);
  const limit = chance.integer(1, 2);
  const group = `array-${arena.nextNumber()}`;
  const ledgerFile = join(arena.folder, `${group}.indexes`);
  const command = arena.ledger.command(`echo "$QUEUECTL_ARRAY_INDEX" >> "${ledgerFile}"`, {
    gates: [{ name: `group:${group}`, limit }],
  });
  const answer = await arena.command(
    ['enqueue', '--array', `0-${size - 1}%${limit}`, '--group', group, '--max-retries', '5', '--print-id'].concat(
      command,
    ),
  );
  if (answer.code !== 0) return;
  const ids = answer.stdout.trim().split('\n');
  if (ids.length !== size)
    arena.problems.push({ what: `array ${group} of ${size} printed ${ids.length} IDs`, at: Date.now() });
  arena.arrays.set(group, { ids, file: ledgerFile });
};

/** Each snoozes once, for a second at most, then completes. */
export const enqueueSnoozing: Action = async (arena, queue) => {
  const id = `${SNOOZING}${arena.nextNumber()}`;
  const mark = join(arena.folder, id);
  const work = `[ -e "${mark}" ] || { : > "${mark}"; echo 0.5 > "$QUEUECTL_RETRY_AFTER"; exit ${SNOOZE_CODE}; }`;
  const command = arena.ledger.command(work);
  await queue.enqueue([{ id, command, snooze_code: SNOOZE_CODE, max_retries: 3, backoff_base: 0.1 }]);
  arena.untouched.add(id);
};

export const enqueueFleeting: Action = async (arena, queue, chance) => {
  const jobs = Array.from({ length: chance.integer(1, 5) }, (): NewJobInput => {
    const id = `fleeting-${arena.nextNumber()}`;
    return { id, command: someCommand(arena, chance), max_retries: 0, queue: FLEETING };
  });
  for (const { id } of await enqueueAll(arena, queue, jobs)) {
    arena.acknowledged.delete(id);
    arena.fleeting.add(id);
  }
};

export const prune: Action = async (_, queue, chance) => {
  await queue.prune({
    states: FINAL_STATES,
    queue: FLEETING,
    finishedBefore: queue.now() - chance.between(0, 3000),
    keep: chance.pick([undefined, 3]),
  });
};
