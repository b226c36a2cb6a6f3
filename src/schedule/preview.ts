// New schedules as users describe them: checked, with the time of their first run.

import { QueueError } from '../errors/errors.ts';
import type { JobTemplate } from './job-template.ts';
import { checkName, type NewSchedule, type Schedule } from './schedule.ts';
import { firstDueAt, readSpec, type SpecInput } from './spec.ts';

export interface ScheduleInput extends SpecInput {
  readonly name: string;
  readonly job: JobTemplate;
}

export async function readSchedules(inputs: readonly ScheduleInput[], now: number): Promise<NewSchedule[]> {
  const schedules: NewSchedule[] = [];
  for (const { name, job, ...input } of inputs) {
    checkName(name);
    const spec = await readSpec(input, now);
    schedules.push({ name, spec, job, nextAt: await firstDueAt(name, spec, now) });
  }
  return schedules;
}

/** Returns the schedules as they would be stored in addition to `all`. Throws schedule_exists if a name is taken. */
export async function previewOf(
  inputs: readonly ScheduleInput[],
  all: readonly Schedule[],
  now: number,
): Promise<Schedule[]> {
  const schedules = await readSchedules(inputs, now);
  const known = new Set(all.map(({ name }) => name));
  const taken = schedules.find(({ name }) => known.has(name));
  if (taken) throw new QueueError('schedule_exists', { name: taken.name, where: '' });
  return schedules.map((schedule) => ({ ...schedule, pausedAt: null, createdAt: now, updatedAt: now }));
}
