// The schedules of a queue, as commands and routes use them: added, looked at, changed. Loaded when it is used.

import { checkAdmission } from '../intake/queue-admission.ts';
import { checkSecrets, checkWebhooks, withRecipes } from '../intake/intake.ts';
import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import { type NewEnvironment, variablesIn } from '../job/environment/environment.ts';
import { DEFAULT_QUEUE, type Job } from '../job/job.ts';
import type { Enqueuer, PolicySubject } from '../job/isolation/policy.ts';
import { defaultsOf } from '../maintenance/tick-schedules.ts';
import { randomBytes } from '../system/random.ts';
import { type JobTemplate, jobFrom } from '../schedule/job-template.ts';
import { checkName, type NewSchedule, type Schedule, type Tick } from '../schedule/schedule.ts';
import { dueAfterEdit, firstDueAt, missedByPause, readSpec, type SpecInput } from '../schedule/spec.ts';
import { policyOf } from '../settings/policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { ScheduleChange, Store } from '../store/store.ts';
import { nearest } from '../text/nearest.ts';

export interface ScheduleInput extends SpecInput {
  readonly name: string;
  readonly job: JobTemplate;
}

/** A change is computed from what was read; if somebody else was faster, it is computed again, so often. */
const TRIES = 20;

type Changing = (seen: Schedule) => Promise<ScheduleChange | null> | ScheduleChange | null;

export class QueueSchedules {
  private readonly store: Store;
  private readonly settings: () => Promise<Settings>;
  private readonly who: Enqueuer | null;

  constructor(store: Store, settings: () => Promise<Settings>, who: Enqueuer | null) {
    this.store = store;
    this.settings = settings;
    this.who = who;
  }

  /** All of them or none; what is wrong with one is refused before anything is stored. */
  async add(inputs: readonly ScheduleInput[], environment: NewEnvironment | null): Promise<Schedule[]> {
    const schedules = await this.withCommands(await this.read(inputs));
    await this.checkPolicy(schedules.map(({ job }) => job), environment); // biome-ignore format: one line
    return this.store.schedules.add(schedules, environment);
  }

  /** What add() would store, or why it would refuse to. */
  async preview(inputs: readonly ScheduleInput[]): Promise<Schedule[]> {
    const now = this.store.now();
    const schedules = await this.read(inputs);
    const known = new Set((await this.all()).map(({ name }) => name));
    const taken = schedules.find(({ name }) => known.has(name));
    if (taken) throw new QueueError('schedule_exists', { name: taken.name, where: '' });
    return schedules.map((schedule) => ({ ...schedule, pausedAt: null, createdAt: now, updatedAt: now }));
  }

  private async read(inputs: readonly ScheduleInput[]): Promise<NewSchedule[]> {
    const [schedules, now]: [NewSchedule[], number] = [[], this.store.now()];
    for (const { name, job, ...input } of inputs) {
      checkName(name);
      const spec = await readSpec(input, now);
      schedules.push({ name, spec, job, nextAt: await firstDueAt(name, spec, now) });
    }
    return schedules;
  }

  all(): Promise<Schedule[]> {
    return this.store.schedules.all();
  }

  /** By its whole name; else schedule_not_found. */
  async get(name: string): Promise<Schedule> {
    const found = await this.store.schedules.get(name);
    if (found) return found;
    const near = nearest(name, (await this.all()).map((schedule) => schedule.name)); // biome-ignore format: one line
    const hint = near ? `did you mean '${near}'?` : 'list the schedules: queuectl schedule list';
    throw new QueueError('schedule_not_found', { name, hint });
  }

  /** In the order given, one named twice once. */
  async getAll(names: readonly string[]): Promise<Schedule[]> {
    const found: Schedule[] = [];
    for (const name of new Set(names)) found.push(await this.get(name));
    return found;
  }

  /** What became of its ticks, the newest first. */
  ticks(name: string, limit: number): Promise<Tick[]> {
    return this.store.schedules.ticks(name, limit);
  }

  /** Jobs they have made stay. */
  async remove(names: readonly string[]): Promise<Schedule[]> {
    const schedules = await this.getAll(names);
    await this.store.schedules.remove(schedules.map(({ name }) => name));
    return schedules;
  }

  /** No tick makes a job until it is resumed. */
  pause(names: readonly string[]): Promise<Schedule[]> {
    return this.changeAll(names, (seen) =>
      seen.pausedAt === null ? { ...seen, pausedAt: this.store.now(), skipped: [] } : null,
    );
  }

  /** Ticks of the pause are not made up for. */
  resume(names: readonly string[]): Promise<Schedule[]> {
    return this.changeAll(names, async (seen) => {
      if (seen.pausedAt === null) return null;
      const now = this.store.now();
      const [nextAt, skipped] = [await firstDueAt(seen.name, seen.spec, now), await missedByPause(seen, now)];
      return { ...seen, pausedAt: null, nextAt, skipped };
    });
  }

  /** What is not given stays as it is. */
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

  /** A job of the schedule now, whatever its ticks do. One that is unique may be there already. */
  async run(name: string): Promise<{ job: Job; isNew: boolean }> {
    const { job } = await this.get(name);
    const own = { id: newJobId(randomBytes), schedule: name, scheduledAt: this.store.now(), after: [] };
    const plain = jobFrom(job, defaultsOf(await this.settings()), own);
    const [made = plain] = await withRecipes(this.store, [plain]);
    await checkAdmission(this.store, [made]);
    await this.checkPolicy([made], null);
    const stored = await this.store.schedules.runNow(name, made);
    if (stored === null) return this.run(name); // it was removed meanwhile: say so
    return { job: stored, isNew: stored.id === made.id };
  }

  /** Those of recipes as they are now; each tick looks them up again. */
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

  /** Names are checked before anything is changed. */
  private async changeAll(names: readonly string[], to: Changing): Promise<Schedule[]> {
    const changed: Schedule[] = [];
    for (const { name } of await this.getAll(names)) changed.push(await this.changeOne(name, to));
    return changed;
  }

  /** null: it is as it should be already. */
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
