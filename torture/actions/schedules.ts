// Schedules with every timing, overlap and catch-up are added, paused, resumed, changed, run manually and deleted, and
// their jobs are cancelled and deleted. Records what must hold, as far as changes were acknowledged.

import { setTimeout as sleep } from 'node:timers/promises';
import { CATCH_UPS, OVERLAPS } from '../../src/schedule/plan-ticks.ts';
import type { SpecInput } from '../../src/schedule/spec.ts';
import type { Queue } from '../../src/queue/queue.ts';
import type { Arena } from '../arena.ts';
import type { Chance } from '../chance.ts';
import type { ScheduleFacts } from '../checks/schedules.ts';
import { type Action, someCommand } from './action.ts';

/** More would leave no room for other jobs. */
const MOST = 8;
/** Part of the names of schedules whose jobs may overlap. */
const LOOSE = 'loose';
/** An unanswered change may still happen within this time. */
const UNANSWERED_MS = 10_000;

export const tendSchedules: Action = (arena, queue, chance) => (chance.pick(ACTIONS) ?? add)(arena, queue, chance);

const add: Action = async (arena, queue, chance) => {
  const schedules = await queue.schedules();
  if ((await schedules.all()).length >= MOST) return;
  const isLoose = chance.happens(0.4);
  const name = `schedule-${isLoose ? `${LOOSE}-` : ''}${arena.nextNumber()}`;
  const gates = isLoose ? [] : [{ name: `schedule:${name}`, limit: 1 }];
  const job = {
    command: someCommand(arena, chance, { gates }),
    maxRetries: chance.integer(0, 1),
    backoffBase: 0.1,
  };
  const facts = factsOf(arena, name);
  facts.existence = 'doubtful';
  await timed(facts, () => schedules.add([{ name, job, ...someTiming(chance), ...someRules(chance, isLoose) }], null));
  facts.existence = 'there';
};

function factsOf(arena: Arena, name: string): ScheduleFacts {
  const known = arena.schedules.get(name);
  const facts = known ?? { existence: 'there', timedSince: 0, pauses: [], byHand: new Set() };
  arena.schedules.set(name, facts);
  return facts;
}

/** Its times may change until the promise resolves. */
async function timed(facts: ScheduleFacts, change: () => Promise<unknown>): Promise<void> {
  facts.timedSince = Number.POSITIVE_INFINITY;
  let slackMs = UNANSWERED_MS;
  try {
    await change();
    slackMs = 0;
  } finally {
    facts.timedSince = Date.now() + slackMs;
  }
}

const someTiming = (chance: Chance): SpecInput =>
  chance.happens(0.7)
    ? { every: `${chance.integer(2, 8)}s`, jitterMs: chance.pick([0, 0, 1000]) }
    : { cron: chance.pick(['*/3 * * * * *', '*/7 * * * * *', '* * * * *']), zone: 'UTC', jitterMs: 0 };

const someRules = (chance: Chance, isLoose: boolean): SpecInput => ({
  overlap: isLoose ? 'allow' : (chance.pick(OVERLAPS.filter((overlap) => overlap !== 'allow')) ?? 'skip'),
  catchUp: chance.pick(CATCH_UPS),
  catchUpMax: chance.integer(1, 5),
  catchUpWindowMs: chance.pick([30_000, 600_000]),
});

const someName = async (queue: Queue, chance: Chance, loose?: boolean): Promise<string | undefined> =>
  chance.pick(
    (await (await queue.schedules()).all())
      .map(({ name }) => name)
      .filter((name) => loose === undefined || name.includes(LOOSE) === loose),
  );

/** Compares the jobs of schedules that are never run manually. Some stay paused for a while. */
const pauseOrResume: Action = async (arena, queue, chance) => {
  const schedules = await queue.schedules();
  const name = await someName(queue, chance);
  if (name === undefined) return;
  await arena.alone(`pause ${name}`, async () => {
    await schedules.pause([name]);
    const before = new Set(await jobsOf(queue, name));
    await sleep(chance.between(200, 4000));
    const after = await jobsOf(queue, name);
    if (!name.includes(LOOSE)) factsOf(arena, name).pauses.push({ before, after });
    await schedules.resume([name]);
  });
};

const jobsOf = (queue: Queue, schedule: string): Promise<string[]> =>
  queue.idsOf({ schedule, sort: 'created', descending: false, limit: null });

const edit: Action = async (arena, queue, chance) => {
  const schedules = await queue.schedules();
  const name = await someName(queue, chance);
  if (name === undefined) return;
  await arena.alone(`edit ${name}`, async () => {
    const rules = someRules(chance, name.includes(LOOSE));
    if (chance.happens(0.7)) await schedules.edit(name, rules, undefined, undefined);
    else
      await timed(factsOf(arena, name), () =>
        schedules.edit(name, { ...rules, ...someTiming(chance) }, undefined, undefined),
      );
  });
};

const runByHand: Action = async (arena, queue, chance) => {
  const name = await someName(queue, chance, true);
  if (name === undefined) return;
  const { job } = await (await queue.schedules()).run(name);
  factsOf(arena, name).byHand.add(job.id);
};

/** Rare, because the history of its runs is deleted with it. */
const remove: Action = async (arena, queue, chance) => {
  const name = chance.happens(0.4) ? await someName(queue, chance) : undefined;
  if (name === undefined) return;
  const facts = factsOf(arena, name);
  facts.existence = 'doubtful';
  await (await queue.schedules()).remove([name]);
  facts.existence = 'gone';
};

/** A new job may be about to depend on the deleted one. */
const meddle: Action = async (arena, queue, chance) => {
  const name = await someName(queue, chance);
  const ids = name === undefined ? [] : await jobsOf(queue, name);
  const id = chance.pick(ids.slice(-5));
  if (id === undefined) return;
  if (chance.happens(0.5)) {
    await queue.cancel([id]);
  } else {
    arena.doubtful.add(id);
    await queue.remove([id]);
  }
};

const ACTIONS: readonly Action[] = [
  ...[add, add, pauseOrResume, pauseOrResume, pauseOrResume, edit, edit, edit],
  ...[runByHand, runByHand, meddle, meddle, remove],
];
