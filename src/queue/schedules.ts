// Schedule operations for commands and routes. Loaded on demand.

import { checkDraining } from '../intake/draining-check.ts';
import { checkSecrets, checkWebhooks, withRecipes } from '../intake/intake.ts';
import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import { type NewEnvironment, variablesIn } from '../job/environment/environment.ts';
import { DEFAULT_QUEUE, type Job } from '../job/job.ts';
import type { Enqueuer, PolicySubject } from '../job/isolation/policy.ts';
import { defaultsOf } from '../maintenance/tick-schedules.ts';
import { randomBytes } from '../system/random.ts';
import { type JobTemplate, jobFrom } from '../schedule/job-template.ts';
import { previewOf, readSchedules, type ScheduleInput } from '../schedule/preview.ts';
import type { NewSchedule, Schedule, Tick } from '../schedule/schedule.ts';
import { dueAfterEdit, firstDueAt, missedByPause, readSpec, type SpecInput } from '../schedule/spec.ts';
import { policyOf } from '../settings/policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { ScheduleChange, Store } from '../store/store.ts';
import type { Schedules } from './interface.ts';
import { nearest } from '../text/nearest.ts';

/** Maximum number of tries. A change is computed again if the schedule was changed concurrently. */
const TRIES = 20;

type Changing = (seen: Schedule) => Promise<ScheduleChange | null> | ScheduleChange | null;

export class QueueSchedules implements Schedules {
  private readonly store: Store;
  private readonly settings: () => Promise<Settings>;
  private readonly who: Enqueuer | null;

  constructor(store: Store, settings: () => Promise<Settings>, who: Enqueuer | null) {
    this.store = store;
    this.settings = settings;
    this.who = who;
  }

  async add(inputs: readonly ScheduleInput[], environment: NewEnvironment | null): Promise<Schedule[]> {
    const schedules = await this.withCommands(await readSchedules(inputs, this.store.now()));
    await this.checkPolicy(schedules.map(({ job }) => job), environment); // biome-ignore format: one line
    return this.store.schedules.add(schedules, environment);
  }

  async preview(inputs: readonly ScheduleInput[]): Promise<Schedule[]> {
    return previewOf(inputs, await this.all(), this.store.now());
  }

  all(): Promise<Schedule[]> {
    return this.store.schedules.all();
  }

  async get(name: string): Promise<Schedule> {
    const found = await this.store.schedules.get(name);
    if (found) return found;
    const near = nearest(name, (await this.all()).map((schedule) => schedule.name)); // biome-ignore format: one line
    const hint = near ? `did you mean '${near}'?` : 'list the schedules: queuectl schedule list';
    throw new QueueError('schedule_not_found', { name, hint });
  }

  /** Returns schedules in the given order, without duplicates. */
  async getAll(names: readonly string[]): Promise<Schedule[]> {
    const found: Schedule[] = [];
    for (const name of new Set(names)) found.push(await this.get(name));
    return found;
  }

  ticks(name: string, limit: number): Promise<Tick[]> {
    return this.store.schedules.ticks(name, limit);
  }

  async remove(names: readonly string[]): Promise<Schedule[]> {
    const schedules = await this.getAll(names);
    await this.store.schedules.remove(schedules.map(({ name }) => name));
    return schedules;
  }

  pause(names: readonly string[]): Promise<Schedule[]> {
    return this.changeAll(names, (seen) =>
      seen.pausedAt === null ? { ...seen, pausedAt: this.store.now(), skipped: [] } : null,
    );
  }

  resume(names: readonly string[]): Promise<Schedule[]> {
    return this.changeAll(names, async (seen) => {
      if (seen.pausedAt === null) return null;
      const now = this.store.now();
      const [nextAt, skipped] = [await firstDueAt(seen.name, seen.spec, now), await missedByPause(seen, now)];
      return { ...seen, pausedAt: null, nextAt, skipped };
    });
  }

  edit(
    name: string,
    input: SpecInput,
    job: JobTemplate | undefined,
    environment: NewEnvironment | null | undefined,
  ): Promise<Schedule> {
    return this.changeOne(name, async (seen) => {
      const [said] = await this.filled(job === undefined ? [] : [job]);
      if (said !== undefined) await this.checkPolicy([said], environment ?? null);
      const now = this.store.now();
      const spec = await readSpec(input, now, seen.spec);
      const nextAt = await dueAfterEdit(seen, spec, now);
      return { ...seen, spec, nextAt, job: said ?? seen.job, environment, skipped: [] };
    });
  }

  async run(name: string): Promise<{ job: Job; isNew: boolean }> {
    const { job } = await this.get(name);
    const own = { id: newJobId(randomBytes), schedule: name, scheduledAt: this.store.now(), after: [] };
    const plain = jobFrom(job, defaultsOf(await this.settings()), own);
    const [made = plain] = await withRecipes(this.store, [plain]);
    await checkDraining(this.store, [made]);
    await this.checkPolicy([made], null);
    const stored = await this.store.schedules.runNow(name, made);
    if (stored === null) return this.run(name); // deleted meanwhile: run() reports it
    return { job: stored, isNew: stored.id === made.id };
  }

  /** Fills in the current recipes; each scheduled run fills them in again. */
  private async filled(jobs: readonly JobTemplate[]): Promise<JobTemplate[]> {
    const made = await withRecipes(
      this.store,
      jobs.map((job) => ({ ...job, cwd: job.cwd ?? null, confinement: job.confinement ?? null })),
    );
    return jobs.map((job, i) => ({ ...job, command: made[i]?.command ?? job.command }));
  }

  private async withCommands(schedules: readonly NewSchedule[]): Promise<NewSchedule[]> {
    const jobs = await this.filled(schedules.map(({ job }) => job));
    return schedules.map((schedule, i) => ({ ...schedule, job: jobs[i] ?? schedule.job }));
  }

  private async checkPolicy(jobs: readonly JobTemplate[], environment: NewEnvironment | null): Promise<void> {
    await checkSecrets(this.store, jobs);
    const settings = await this.settings();
    await checkWebhooks(jobs, settings);
    if (policyOf(settings) === null) return;
    const { checkNew } = await import('../intake/policy-check.ts');
    const variables = environment && variablesIn(environment.text);
    await checkNew(this.store, jobs.map(subjectOf), { settings, who: this.who, variables });
  }

  /** Checks all names before the first change. */
  private async changeAll(names: readonly string[], to: Changing): Promise<Schedule[]> {
    const changed: Schedule[] = [];
    for (const { name } of await this.getAll(names)) changed.push(await this.changeOne(name, to));
    return changed;
  }

  /** Returns the schedule unchanged if it already has the wanted state. */
  private async changeOne(name: string, to: Changing): Promise<Schedule> {
    for (let tries = 1; ; tries++) {
      const seen = await this.get(name);
      const change = await to(seen);
      if (change === null) return seen;
      if (await this.store.schedules.change(seen, change)) return this.get(name);
      if (tries === TRIES) throw new Error(`schedule ${name} keeps changing concurrently`);
    }
  }
}

const subjectOf = (job: JobTemplate): PolicySubject => ({
  queue: DEFAULT_QUEUE,
  cwd: null,
  env: {},
  confinement: null,
  ...job,
});
