// Decides what happens to a blocked job when its dependencies finish. Only direct dependencies count.

import { isFinal, type JobState } from '../job.ts';

export const DEPENDENCY_RULES = ['success', 'end', 'failure'] as const;
export type DependencyRule = (typeof DEPENDENCY_RULES)[number];

export const FAILURE_POLICIES = ['cancel', 'run', 'hold'] as const;
/** Action for a job whose dependency finished with the wrong outcome. */
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

export interface Dependency {
  readonly kind: 'job' | 'group';
  /** Job ID or group name. */
  readonly on: string;
  readonly rule: DependencyRule;
}

/** A dependency's outcome: its final state, or `deleted` if it was deleted before it finished. */
export type ParentOutcome = 'completed' | 'dead' | 'cancelled' | 'deleted';

export interface Edge extends Dependency {
  /** Null while the dependency is unfinished. */
  readonly outcome: ParentOutcome | null;
}

export type Verdict =
  | { readonly event: 'unblock'; readonly held: string | null }
  | { readonly event: 'forsake'; readonly reason: string };

/** Returns null while the job has to stay blocked. */
export function decideBlocked(edges: readonly Edge[], policy: FailurePolicy): Verdict | null {
  const broken = brokenBy(edges);
  if (broken !== null && policy === 'cancel') return { event: 'forsake', reason: broken };
  if (!isDecided(edges)) return null;
  return { event: 'unblock', held: broken !== null && policy === 'hold' ? broken : null };
}

/** A job that requires a failure is decided by the first one; other jobs wait for all dependencies. */
function isDecided(edges: readonly Edge[]): boolean {
  const others = edges.filter(({ rule }) => rule !== 'failure');
  return others.every(hasEnded) && (edges.some(hasFailedAsWished) || edges.every(hasEnded));
}

const hasEnded = ({ outcome }: Edge): boolean => outcome !== null;
const hasFailed = ({ outcome }: Edge): boolean => outcome !== null && outcome !== 'completed';
const hasFailedAsWished = (edge: Edge): boolean => edge.rule === 'failure' && hasFailed(edge);

/** Returns why the rules can no longer be met, or null while they can. */
function brokenBy(edges: readonly Edge[]): string | null {
  const failed = edges.find((edge) => edge.rule === 'success' && hasFailed(edge));
  if (failed) return `dependency failed: ${nameOf(failed)} ${endOf(failed)}`;
  const failures = edges.filter(({ rule }) => rule === 'failure');
  const [first] = failures;
  if (!first || !failures.every(hasEnded) || failures.some(hasFailed)) return null;
  return failures.length === 1
    ? `${nameOf(first)} was expected to fail but completed`
    : 'dependencies were expected to fail, but none did';
}

const nameOf = ({ kind, on }: Edge): string => `${kind} ${on}`;

function endOf({ kind, outcome }: Edge): string {
  if (kind === 'group') return outcome === 'dead' ? 'has dead jobs' : 'has cancelled jobs';
  return outcome === 'dead' ? 'is dead' : `was ${outcome}`;
}

/** Returns null for an unfinished state. */
export const outcomeOfState = (state: JobState): ParentOutcome | null =>
  isFinal(state) ? (state as ParentOutcome) : null;

/** Returns a group's outcome from its job counts, or null while a job is unfinished. */
export function outcomeOfGroup(counts: Readonly<Record<JobState, number>>): ParentOutcome | null {
  const states = (Object.keys(counts) as JobState[]).filter((state) => counts[state] > 0);
  if (!states.every(isFinal)) return null;
  if (states.includes('dead')) return 'dead';
  return states.includes('cancelled') ? 'cancelled' : 'completed';
}

const GROUP_PREFIX = 'group:';

/** Returns the form used on the command line and in JSON. */
export const dependencyText = ({ kind, on }: Dependency): string => (kind === 'group' ? `${GROUP_PREFIX}${on}` : on);

/** Parses the output of dependencyText(). */
export const dependencyOn = (text: string): Pick<Dependency, 'kind' | 'on'> =>
  text.startsWith(GROUP_PREFIX) ? { kind: 'group', on: text.slice(GROUP_PREFIX.length) } : { kind: 'job', on: text };
