// A job and its attempts as JSON: snake_case, times as ISO 8601 UTC. The same for CLI, HTTP and library.

import { ARRAY_INDEX } from './flow/array-index.ts';
import { type Dependency, dependencyText } from './flow/dependencies.ts';
import { inputOfConfinement } from './input/isolation-input.ts';
import type { Variables } from './environment/environment.ts';
import type { Attempt, Job } from './job.ts';
import { DEFAULT_WEIGHT } from './flow/concurrency.ts';
import { inputOfRules } from './input/outcome-input.ts';
import { type OutcomeRules, USUAL_RULES } from './outcome-rules.ts';
import { isoOf } from '../time/iso.ts';
import { usageToJson } from './usage.ts';

export type Json = Readonly<Record<string, unknown>>;

const HIDDEN = '***';

export const isoTime = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

/** Values may be secrets: they are shown only when asked for. The index in an array is none. */
export const variablesToJson = (variables: Variables, show: { env: boolean }): Json =>
  show.env
    ? variables
    : Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, name === ARRAY_INDEX ? value : HIDDEN]),
      );

export function jobToJson(job: Job, show: { env: boolean } = { env: false }): Json {
  return {
    id: job.id,
    name: job.name,
    command: job.command,
    queue: job.queue,
    group: job.group,
    state: job.state,
    priority: job.priority,
    attempts: job.attempts,
    interruptions: job.interruptions,
    snoozes: job.snoozes,
    max_retries: job.maxRetries,
    backoff_base: job.backoffBase,
    backoff_strategy: job.backoffStrategy,
    timeout_seconds: job.timeoutSeconds,
    run_at: isoTime(job.runAt),
    next_run_at: isoTime(job.nextRunAt),
    key: job.key,
    key_concurrency: job.keyConcurrency,
    weight: job.weight ?? DEFAULT_WEIGHT,
    depends_on: job.dependsOn.map(dependencyToJson),
    on_dependency_failure: job.onDependencyFailure,
    schedule: job.schedule,
    scheduled_at: isoTime(job.scheduledAt),
    hooks: job.hooks,
    hook_of: job.hookOf,
    tags: job.tags,
    unique_key: job.uniqueKey,
    held: job.held !== null,
    held_reason: job.held,
    cwd: job.cwd,
    env: variablesToJson(job.env, show),
    split_output: job.splitOutput,
    stdin_bytes: job.stdinBytes,
    ...outcomeRulesToJson(job.outcomeRules),
    ...inputOfConfinement(job.confinement),
    created_at: isoTime(job.createdAt),
    updated_at: isoTime(job.updatedAt),
    started_at: isoTime(job.startedAt),
    finished_at: isoTime(job.finishedAt),
    duration_ms: job.durationMs,
    exit_code: job.exitCode,
    signal: job.signal,
    last_error: job.lastError,
    fingerprint: job.fingerprint,
    locked_by: job.lockedBy,
    locked_at: isoTime(job.lockedAt),
    log_path: job.logPath,
    ...usageToJson(job.usage),
    progress: job.progress,
    progress_note: job.progressNote,
    result: resultToJson(job.result),
  };
}

/** Defaults are written too: a reader need not know them. */
const outcomeRulesToJson = (rules: OutcomeRules | null): Json => inputOfRules(rules ?? USUAL_RULES);

/** As the value that it says, not as a text. */
function resultToJson(result: string | null): unknown {
  try {
    return result === null ? null : JSON.parse(result);
  } catch {
    return result; // somebody wrote it by hand
  }
}
/** The text alone says the usual rule. */
const dependencyToJson = (dependency: Dependency): unknown =>
  dependency.rule === 'success'
    ? dependencyText(dependency)
    : { on: dependencyText(dependency), rule: dependency.rule };

export function attemptToJson(attempt: Attempt): Json {
  return {
    number: attempt.number,
    run: attempt.run,
    worker: attempt.workerId,
    host: attempt.host,
    pid: attempt.pid,
    started_at: isoTime(attempt.startedAt),
    ended_at: isoTime(attempt.endedAt),
    duration_ms: attempt.endedAt === null ? null : attempt.endedAt - attempt.startedAt,
    outcome: attempt.outcome,
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    error: attempt.error,
    log_path: attempt.logPath,
    ...usageToJson(attempt.usage),
  };
}
