// The way in for new jobs: checked as a user wrote them, completed from the settings and from where the user is, stored.

import { checkAdmission } from './queue-admission.ts';
import { checkConfinement, mayRunIn } from './isolation-check.ts';
import {
  environmentOf,
  type Inheritance,
  isInherited,
  type NewEnvironment,
  variablesIn,
} from '../job/environment/environment.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import { newJobId } from '../job/id.ts';
import { fieldsSaid, type InputContext, parseJob } from '../job/input/input.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { Enqueuer, PolicyRefusal } from '../job/isolation/policy.ts';
import {
  TRACEPARENT,
  type TraceContext,
  TRACESTATE,
  traceContext,
  withTrace,
} from '../job/environment/trace-context.ts';
import { advanceDependents, withParents } from './parents.ts';
import { randomBytes } from '../system/random.ts';
import { type JobTemplate, templateFrom } from '../schedule/job-template.ts';
import { policyOf } from '../settings/policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { Staging, Store } from '../store/store.ts';

/** A job as a user wrote it, or part of one: not checked yet. */
export type JobInput = Readonly<Record<string, unknown>>;

/** The same settings and environment for all jobs that come through it. */
export interface Intake {
  /** Anything but a job that can be run is refused, whatever its type: invalid_job or command_required. */
  read(raw: unknown): NewJob;
  /** The same of the job that a schedule makes at each tick; what is not said stays open until then. */
  template(raw: unknown): JobTemplate;
  /** All of them or none. */
  enqueue(jobs: readonly NewJob[]): Promise<Job[]>;
  /** The environment that they run with; null: that of their worker. */
  readonly environment: NewEnvironment | null;
  /** Who enqueues matters: jobs of different people must not be enqueued together. */
  readonly isHeldToPolicy: boolean;
  /** Why the policy would not let it in; null: it would. */
  refusalOf(job: NewJob): Promise<PolicyRefusal | null>;
  /** For any number of jobs. `onSent` is told how many are in, where they cannot all go in at once. */
  stage(onSent?: (jobs: number) => void): Promise<Staging>;
}

/** Where new jobs come from. */
export interface Origin {
  /** The working directory of a job that names none. */
  readonly cwd: string | null;
  readonly shellEnvironment: NodeJS.ProcessEnv | null;
  /** Who enqueues; null: a user of this machine. */
  readonly who: Enqueuer | null;
}

/** `overrides` win over what each job says itself, `inherit` over the setting. */
export function intakeOf(
  store: Store,
  settings: Settings,
  origin: Origin,
  overrides: JobInput,
  inherit: boolean | undefined,
): Intake {
  const context: Omit<InputContext, 'now'> = {
    zone: 'local',
    newId: () => newJobId(randomBytes),
    cwd: origin.cwd,
    cwdIn: (queue) => (mayRunIn(origin.cwd, queue, settings) ? origin.cwd : null),
    defaults: { maxRetries: settings.number('max_retries'), timeoutSeconds: settings.limit('job_timeout') },
  };
  const environment = environmentFor(origin, settings, inherit ?? null, store.spansHosts);
  const trace = inherit === false ? null : traceOf(origin);
  const isHeldToPolicy = policyOf(settings) !== null;
  const asking = () => ({
    settings,
    who: origin.who,
    variables: environment && variablesIn(environment.text),
  });
  /** The only way from input to the store: fills in recipes and dependencies, and rejects what must not come in. */
  const checkAll = async (given: readonly NewJob[]): Promise<readonly NewJob[]> => {
    const jobs = await withRecipes(store, given);
    checkConfinement(jobs, settings);
    await checkAdmission(store, jobs);
    await checkWebhooks(jobs, settings);
    // Most queues have no policy, so its code is loaded on demand.
    if (isHeldToPolicy) await (await import('./policy-check.ts')).checkNew(store, jobs, asking());
    await checkSecrets(store, jobs);
    return withParents(store, jobs);
  };
  return {
    environment,
    isHeldToPolicy,
    refusalOf: async (job) =>
      (await import('./policy-check.ts')).refusalAmong(await withRecipes(store, [job]), asking()),
    read: (raw) => withTrace(parseJob(raw, overrides, { ...context, now: store.now() }), trace),
    template: (raw) => {
      const now = { ...context, now: store.now() };
      const job = parseJob(raw, overrides, now);
      checkConfinement([job], settings);
      return templateFrom(job, fieldsSaid(raw as JobInput, overrides, now));
    },
    enqueue: async (given) => {
      const jobs = await checkAll(given);
      const stored = await store.enqueue(jobs, environment);
      if (jobs.some(mayReplace)) await advanceDependents(store);
      return stored;
    },
    stage: async () => {
      const staging = await store.stage(environment);
      let replaces = false;
      return {
        ...staging,
        add: async (given) => {
          const jobs = await checkAll(given);
          replaces ||= jobs.some(mayReplace);
          await staging.add(jobs);
        },
        commit: async () => {
          const count = await staging.commit();
          if (replaces) await advanceDependents(store);
          return count;
        },
      };
    },
  };
}

/** Few jobs are made from a recipe. */
export async function withRecipes<T extends Pick<NewJob, 'command' | 'cwd' | 'confinement'>>(
  store: Store,
  jobs: readonly T[],
): Promise<readonly T[]> {
  if (jobs.every(({ confinement }) => confinement?.recipe === undefined)) return jobs;
  const { QueueRecipes } = await import('../queue/recipes.ts');
  return new QueueRecipes(store).filled(jobs);
}

/** That there are such; few jobs are given any. */
export async function checkSecrets(
  store: Store,
  jobs: readonly Partial<Pick<NewJob, 'confinement'>>[],
): Promise<void> {
  const uses = jobs.flatMap(({ confinement }) => confinement?.secrets ?? []);
  if (uses.length > 0) await (await import('../secrets/secrets.ts')).expectSecrets(store, uses);
}

/** Few jobs have hooks. Throws invalid_job if a webhook's address is known to be forbidden. */
export async function checkWebhooks(
  jobs: readonly Partial<Pick<NewJob, 'hooks' | 'groupHooks'>>[],
  settings: Settings,
): Promise<void> {
  if (!jobs.some(({ hooks, groupHooks }) => hasAny(hooks) || hasAny(groupHooks))) return;
  const { expectAllowedWebhooks } = await import('./webhook-check.ts');
  expectAllowedWebhooks(
    jobs.flatMap(({ hooks = {}, groupHooks = {} }) => [hooks, groupHooks]),
    settings,
  );
}

function hasAny(hooks: Hooks | undefined): boolean {
  for (const _ in hooks) return true;
  return false;
}

const mayReplace = ({ uniqueKey, ifExists }: NewJob): boolean => uniqueKey !== null && ifExists === 'replace';

/** null: new jobs run with the environment of their worker. */
function environmentFor(
  { shellEnvironment }: Origin,
  settings: Settings,
  inherit: boolean | null,
  spansHosts: boolean,
): NewEnvironment | null {
  if (shellEnvironment === null) return null;
  const setting = settings.value('inherit_environment') as Inheritance;
  return (inherit ?? isInherited(setting, spansHosts)) ? environmentOf(shellEnvironment) : null;
}

/** It is no secret, and goes along wherever the queue is. Not with a schedule, whose ticks come long after. */
const traceOf = ({ shellEnvironment: shell }: Origin): TraceContext =>
  shell === null ? null : traceContext(shell[TRACEPARENT], shell[TRACESTATE]);
