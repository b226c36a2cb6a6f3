// The only way for new jobs into the queue: validates user input, adds defaults from settings and environment, and
// stores it.

import { checkDraining } from './draining-check.ts';
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
import { command } from '../job/input/input-readers.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { Enqueuer, PolicyRejection } from '../job/isolation/policy.ts';
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

/** Unvalidated job input, complete or partial. */
export type JobInput = Readonly<Record<string, unknown>>;

/** Uses the same settings and environment for all jobs. */
export interface Intake {
  /** Validates a value of any type as a job. Throws invalid_job or command_required. */
  read(raw: unknown): NewJob;
  /** Validates the job of a schedule; omitted fields are filled in at each run. */
  template(raw: unknown): JobTemplate;
  /** Stores all jobs or none. */
  enqueue(jobs: readonly NewJob[]): Promise<Job[]>;
  /** Environment of the jobs; null for the worker's. */
  readonly environment: NewEnvironment | null;
  /** True if the policy depends on the enqueuer, so that jobs of different enqueuers must not be combined. */
  readonly isHeldToPolicy: boolean;
  /** Returns why the policy rejects the job, or null. */
  rejectionOf(job: NewJob): Promise<PolicyRejection | null>;
  /** For any number of jobs. `onSent` is called with the number of stored jobs if they are stored in several steps. */
  stage(onSent?: (jobs: number) => void): Promise<Staging>;
}

/** Context of new jobs. */
export interface Origin {
  /** Default working directory. */
  readonly cwd: string | null;
  readonly shellEnvironment: NodeJS.ProcessEnv | null;
  /** Enqueuer; null for a user of this machine. */
  readonly who: Enqueuer | null;
}

/** `overrides` take precedence over the jobs' fields, `inherit` over the setting. */
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
  /**
   * The only path from input to the store: fills in recipes and dependencies, and rejects jobs that are not allowed.
   */
  const checkAll = async (given: readonly NewJob[]): Promise<readonly NewJob[]> => {
    const jobs = await withRecipes(store, given);
    checkConfinement(jobs, settings);
    await checkDraining(store, jobs);
    await checkWebhooks(jobs, settings);
    // Most queues have no policy, so its code is loaded on demand.
    if (isHeldToPolicy) await (await import('./policy-check.ts')).checkNew(store, jobs, asking());
    await checkSecrets(store, jobs);
    return withParents(store, jobs);
  };
  return {
    environment,
    isHeldToPolicy,
    rejectionOf: async (job) =>
      (await import('./policy-check.ts')).rejectionAmong(await withRecipes(store, [job]), asking()),
    read: commandReader(overrides, context.newId, (raw) =>
      withTrace(parseJob(raw, overrides, { ...context, now: store.now() }), trace),
    ),
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

/**
 * Jobs without fields except their commands, such as the lines of a file, are copies of the first one, because
 * parsing each of them takes several times as long.
 */
function commandReader(overrides: JobInput, newId: () => string, parse: Intake['read']): Intake['read'] {
  if (Object.keys(overrides).length > 0) return parse;
  let first: NewJob | null = null;
  return (raw) => {
    if (!isCommandOnly(raw)) return parse(raw);
    if (first !== null) return { ...first, id: newId(), command: command(raw.command, 'command') };
    first = parse(raw);
    return first;
  };
}

function isCommandOnly(raw: unknown): raw is { readonly command: unknown } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return false;
  for (const name in raw) if (name !== 'command') return false;
  return typeof (raw as JobInput).command === 'string';
}

/** Loads the recipe code on demand, because few jobs use recipes. */
export async function withRecipes<T extends Pick<NewJob, 'command' | 'cwd' | 'confinement'>>(
  store: Store,
  jobs: readonly T[],
): Promise<readonly T[]> {
  if (jobs.every(({ confinement }) => confinement?.recipe === undefined)) return jobs;
  const { QueueRecipes } = await import('../queue/recipes.ts');
  return new QueueRecipes(store).filled(jobs);
}

/** Throws secret_not_found for unknown secrets. Loads its code on demand, because few jobs use secrets. */
export async function checkSecrets(store: Store, jobs: readonly Partial<Pick<NewJob, 'confinement'>>[]): Promise<void> {
  const uses = jobs.flatMap(({ confinement }) => confinement?.secrets ?? []);
  if (uses.length > 0) await (await import('../secrets/secrets.ts')).expectSecrets(store, uses);
}

/**
 * Loads its code on demand, because few jobs have hooks. Throws invalid_job if a webhook's address is known to be
 * forbidden.
 */
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

/** Returns null if new jobs use their worker's environment. */
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

/**
 * A trace is not secret, so it is kept wherever the queue is. Schedules ignore it, because their runs come much later.
 */
const traceOf = ({ shellEnvironment: shell }: Origin): TraceContext =>
  shell === null ? null : traceContext(shell[TRACEPARENT], shell[TRACESTATE]);
