// Checks changes to existing jobs as if the jobs were enqueued now: against the policy, the queue's required isolation,
// and recipes. Workers check again before the start.

import { expectSandbox, mayRunIn, PRIVATE_DIRECTORY } from './isolation-check.ts';
import { QueueError } from '../errors/errors.ts';
import { checkSecrets, checkWebhooks } from './intake.ts';
import type { Change } from '../job/change.ts';
import { confinementAfter } from '../job/input/isolation-edit.ts';
import type { Edit, HookChange } from '../job/input/edit.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import type { Job } from '../job/job.ts';
import type { Enqueuer, PolicySubject } from '../job/isolation/policy.ts';
import { directoryProblem } from '../job/isolation/sandbox-directory.ts';
import type { Rejection } from '../job/isolation/rejections.ts';
import { policyOf } from '../settings/policy.ts';
import { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

/** Returns why a job must not be changed, or null. */
type Judge = (job: Job) => QueueError | null;

export class ChangeCheck {
  private readonly store: Store;
  private readonly who: Enqueuer | null;

  constructor(store: Store, who: Enqueuer | null) {
    this.store = store;
    this.who = who;
  }

  /** Throws rejected_by_policy, which is recorded, or invalid_job unless all jobs may be changed. */
  async expectAll(change: Change, jobs: () => Promise<readonly Job[]>): Promise<void> {
    const judge = await this.judgeOf(change);
    if (judge === null) return;
    const all = await jobs();
    for (const job of all) {
      const error = judge(job);
      if (error === null) continue;
      await this.record([{ reason: reasonOf(error), jobs: 1 }]);
      throw all.length === 1 ? error : naming(job, error);
    }
  }

  /**
   * Returns null in the usual case that every job may be changed, so that none has to be read. Throws invalid_job or
   * secret_not_found for problems that affect every job.
   */
  async judgeOf(change: Change): Promise<Judge | null> {
    if (change.kind !== 'retry' && change.kind !== 'edit') return null;
    const edit = change.kind === 'edit' ? change.edit : {};
    const settings = new Settings(await this.store.settings());
    await this.checkNames(edit, settings);
    const rejectionOf = await this.policyOf(settings);
    if (rejectionOf === null && !isConfining(edit) && edit.command === undefined) return null;
    return (job) => {
      const after = edited(job, edit);
      return recipeProblem(job, edit) ?? conflict(job, after, edit, settings) ?? rejectionOf?.(after) ?? null;
    };
  }

  /** Records each reason once, however many jobs it concerns. */
  async record(rejections: readonly Rejection[]): Promise<void> {
    if (rejections.length === 0) return;
    const { recordRejection } = await import('./policy-check.ts');
    for (const { reason, jobs } of rejections) await recordRejection(this.store, this.who, reason, jobs);
  }

  /** Checks that everything an edit refers to exists. */
  private async checkNames({ confinement, hooks }: Edit, settings: Settings): Promise<void> {
    if (hooks !== undefined) await checkWebhooks([{ hooks: withChange({}, hooks) }], settings);
    if (confinement?.sandbox != null) expectSandbox(confinement.sandbox, settings);
    const { secrets } = confinement ?? {};
    if (secrets !== undefined) await checkSecrets(this.store, [{ confinement: { secrets } }]);
  }

  /** Loads the policy code only if there is a policy, which is rare. */
  private async policyOf(settings: Settings): Promise<((job: PolicySubject) => QueueError | null) | null> {
    if (policyOf(settings) === null) return null;
    const { askerOf } = await import('./policy-check.ts');
    const ask = askerOf({ settings, who: this.who, variables: null });
    return (job) => {
      const rejected = ask(job);
      return rejected && new QueueError('rejected_by_policy', { ...rejected });
    };
  }
}

/** Adds the job's ID, because the change may concern several jobs. */
function naming({ id }: Job, error: QueueError): QueueError {
  const { code, hint } = error;
  if (code !== 'rejected_by_policy') return error;
  return new QueueError(code, { reason: `job '${id}': ${reasonOf(error)}`, hint: hint ?? '' });
}

/** Returns the bare reason. */
export const reasonOf = ({ details, message }: QueueError): string => String(details.reason ?? message);

const isConfining = ({ confinement, queue, cwd }: Edit): boolean =>
  confinement !== undefined || queue !== undefined || cwd !== undefined;

function edited(job: Job, { hooks = {}, confinement, outcome: _, ...fields }: Edit): PolicySubject {
  return {
    ...job,
    ...fields,
    hooks: withChange(job.hooks, hooks),
    confinement: confinement ? confinementAfter(job.confinement, confinement) : job.confinement,
  };
}

const withChange = (hooks: Hooks, change: HookChange): Hooks =>
  Object.fromEntries(Object.entries({ ...hooks, ...change }).filter(([, target]) => target !== null));

function recipeProblem({ id, confinement }: Job, { command }: Edit): QueueError | null {
  if (command === undefined || confinement?.recipe === undefined) return null;
  const reason = `created from the recipe '${confinement.recipe.name}', which defines its command`;
  return new QueueError('invalid_job', {
    problem: `job '${id}' was ${reason}`,
    reason,
    hint: 'cancel the job, then enqueue a new one',
  });
}

/** Rejects an edit that contradicts the isolation required by the queue. */
function conflict(job: Job, after: PolicySubject, edit: Edit, settings: Settings): QueueError | null {
  if (!isConfining(edit)) return null;
  const { queue, cwd, confinement } = after;
  const sandbox = settings.confinement.conflict(queue, confinement ?? {});
  if (sandbox !== null) return contradiction(job, sandbox, 'choose another queue');
  if (mayRunIn(cwd, queue, settings)) return null;
  return contradiction(job, directoryProblem(String(cwd), queue), PRIVATE_DIRECTORY);
}

const contradiction = ({ id }: Job, reason: string, hint: string): QueueError =>
  new QueueError('invalid_job', { problem: `job '${id}': ${reason}`, reason, hint });
