// Handles due scheduled runs: reads them, decides, and writes the result in a transaction that does nothing if another
// worker was first. All workers may do this concurrently.

import { errorKinds, QueueError } from '../errors/errors.ts';
import { withRecipes } from '../intake/intake.ts';
import { newJobId } from '../job/id.ts';
import type { NewJob } from '../job/job.ts';
import { randomBytes } from '../system/random.ts';
import { type JobDefaults, jobFrom } from '../schedule/job-template.ts';
import { MOST_UNFINISHED } from '../schedule/schedule-limits.ts';
import { planTicks } from '../schedule/plan-ticks.ts';
import { rulesOf, type Schedule } from '../schedule/schedule.ts';
import { pendingTick } from '../schedule/spec.ts';
import { timesOf } from '../schedule/timing.ts';
import { policyOf } from '../settings/policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store, TickDecision } from '../store/store.ts';

/** Runs per transaction; small, so that other writers are not blocked for long. */
const AT_ONCE = 50;

export class TickSchedules {
  private readonly store: Store;
  private readonly workerId: string;
  private readonly settings: () => Settings;
  private readonly log: (line: string) => void;

  constructor(store: Store, settings: () => Settings, log: (line: string) => void, workerId = 'worker') {
    this.store = store;
    this.workerId = workerId;
    this.settings = settings;
    this.log = log;
  }

  /** Continues until nothing is due. Returns the number of created jobs. */
  async runOnce(): Promise<number> {
    const unreadable: string[] = [];
    for (let made = 0; ; ) {
      const due = await this.store.schedules.due(AT_ONCE, unreadable);
      if (due.length === 0) return made;
      const decisions = await this.decisionsFor(due, unreadable);
      if (decisions.length > 0) made += await this.store.schedules.decide(decisions);
    }
  }

  /** Records schedules that are unreadable, as after a manual edit, without delaying others. */
  private async decisionsFor(due: readonly Schedule[], unreadable: string[]): Promise<TickDecision[]> {
    const decisions: TickDecision[] = [];
    const draining = await this.drainingQueues();
    for (const schedule of due) {
      try {
        decisions.push(await this.decisionFor(schedule, draining));
      } catch (error) {
        unreadable.push(schedule.name);
        this.log(`schedule ${schedule.name} is invalid: ${(error as Error).message}`);
      }
    }
    return decisions;
  }

  private async drainingQueues(): Promise<ReadonlySet<string>> {
    const limits = await this.store.queues.limits();
    return new Set(limits.filter(({ drainingAt }) => drainingAt !== null).map(({ queue }) => queue));
  }

  private async decisionFor(seen: Schedule, draining: ReadonlySet<string>): Promise<TickDecision> {
    const { name, spec, job } = seen;
    const next = await timesOf(spec.timing);
    const isLoose = spec.overlap === 'allow';
    const unfinished = isLoose ? [] : await this.store.schedules.unfinishedJobs(name, MOST_UNFINISHED);
    const newId = (): string => newJobId(randomBytes);
    const first = pendingTick(seen) ?? 0;
    const now = Math.max(this.store.now(), seen.nextAt ?? 0); // due by the store's clock, even if not by the local one
    const plan = planTicks(rulesOf(seen), first, next, now, unfinished, newId);
    const plain = plan.enqueue.map(({ tick, jobId, after }) =>
      jobFrom(job, defaultsOf(this.settings()), { id: jobId, schedule: name, scheduledAt: tick, after }),
    );
    const { nextAt, cancel, skipped } = plan;
    const jobs = await this.filled(name, plain);
    if (jobs === null) return withoutJobs({ seen, nextAt, jobs: plain, cancel, skipped }, 'rejected');
    const decision = { seen, nextAt, jobs, cancel, skipped };
    if (draining.has(job.queue ?? 'default')) return withoutJobs(decision, 'draining');
    return (await this.isRejected(name, jobs)) ? withoutJobs(decision, 'rejected') : decision;
  }

  /** Fills in the current recipes. Returns null if one is gone or no longer accepts the parameters. */
  private async filled(schedule: string, jobs: readonly NewJob[]): Promise<readonly NewJob[] | null> {
    try {
      return await withRecipes(this.store, jobs);
    } catch (error) {
      if (!(error instanceof QueueError) || errorKinds()[error.code].exit > 3) throw error;
      await this.tellRejected(schedule, error.message);
      return null;
    }
  }

  private async tellRejected(schedule: string, reason: string): Promise<void> {
    const { recordRejectedBy } = await import('../intake/policy-check.ts');
    this.log(`schedule ${schedule} cannot enqueue its job: ${reason}`);
    await recordRejectedBy(this.store, this.workerId, schedule, reason);
  }

  /** The policy may have changed since the schedule was added. */
  private async isRejected(schedule: string, jobs: readonly NewJob[]): Promise<boolean> {
    const settings = this.settings();
    if (policyOf(settings) === null || jobs.length === 0) return false;
    const { rejectionAmong } = await import('../intake/policy-check.ts');
    const rejected = rejectionAmong(jobs, { settings, who: 'schedule', variables: null });
    if (rejected === null) return false;
    await this.tellRejected(schedule, rejected.reason);
    return true;
  }
}

/** The queue is being drained, or the policy rejects the jobs. */
const withoutJobs = (decision: TickDecision, reason: 'draining' | 'rejected'): TickDecision => ({
  ...decision,
  jobs: [],
  cancel: [],
  skipped: [
    ...decision.skipped,
    ...decision.jobs.map(({ scheduledAt }) => ({ tick: scheduledAt ?? 0, reason, jobId: null }) as const),
  ],
});

export const defaultsOf = (settings: Settings): JobDefaults => ({
  maxRetries: settings.number('max_retries'),
  timeoutSeconds: settings.limit('job_timeout'),
});
