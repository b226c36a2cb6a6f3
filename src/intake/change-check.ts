// Whether what a person does to jobs that are there is allowed, as if they were enqueued now: by the policy, by what their queue
// requires, and by what they were made from. The start asks again.

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
import type { Refusal } from '../job/isolation/refusals.ts';
import { policyOf } from '../settings/policy.ts';
import { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

/** Why it may not be done to a job; null: it may. */
type Judge = (job: Job) => QueueError | null;

export class ChangeCheck {
  private readonly store: Store;
  private readonly who: Enqueuer | null;

  constructor(store: Store, who: Enqueuer | null) {
    this.store = store;
    this.who = who;
  }

  /** It may be done to all of them; else refused_by_policy, which is recorded, or invalid_job. */
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
   * null: it may be done to whatever job, as nearly always, and none has to be looked at. What is wrong of every job is thrown:
   * invalid_job, secret_not_found.
   */
  async judgeOf(change: Change): Promise<Judge | null> {
    if (change.kind !== 'retry' && change.kind !== 'edit') return null;
    const edit = change.kind === 'edit' ? change.edit : {};
    const settings = new Settings(await this.store.settings());
    await this.checkNames(edit, settings);
    const refusalOf = await this.policyOf(settings);
    if (refusalOf === null && !isConfining(edit) && edit.command === undefined) return null;
    return (job) => {
      const after = edited(job, edit);
      return recipeProblem(job, edit) ?? conflict(job, after, edit, settings) ?? refusalOf?.(after) ?? null;
    };
  }

  /** Once for each reason, however many jobs there are. */
  async record(refusals: readonly Refusal[]): Promise<void> {
    if (refusals.length === 0) return;
    const { recordRefusal } = await import('./policy-check.ts');
    for (const { reason, jobs } of refusals) await recordRefusal(this.store, this.who, reason, jobs);
  }

  /** What an edit names has to be there. */
  private async checkNames({ confinement, hooks }: Edit, settings: Settings): Promise<void> {
    if (hooks !== undefined) await checkWebhooks([{ hooks: withChange({}, hooks) }], settings);
    if (confinement?.sandbox != null) expectSandbox(confinement.sandbox, settings);
    const { secrets } = confinement ?? {};
    if (secrets !== undefined) await checkSecrets(this.store, [{ confinement: { secrets } }]);
  }

  /** Most queues have no policy, and then nothing is loaded for it. */
  private async policyOf(settings: Settings): Promise<((job: PolicySubject) => QueueError | null) | null> {
    if (policyOf(settings) === null) return null;
    const { askerOf } = await import('./policy-check.ts');
    const ask = askerOf({ settings, who: this.who, variables: null });
    return (job) => {
      const refused = ask(job);
      return refused && new QueueError('refused_by_policy', { ...refused });
    };
  }
}

/** If there are several, the one in the way. */
function naming({ id }: Job, error: QueueError): QueueError {
  const { code, hint } = error;
  if (code !== 'refused_by_policy') return error;
  return new QueueError(code, { reason: `job '${id}': ${reasonOf(error)}`, hint: hint ?? '' });
}

/** Without the words around it. */
export const reasonOf = ({ details, message }: QueueError): string => String(details.reason ?? message);

const isConfining = ({ confinement, queue, cwd }: Edit): boolean =>
  confinement !== undefined || queue !== undefined || cwd !== undefined;

/** The job as it would be then. */
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

/** What its queue requires, it may not contradict. */
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
