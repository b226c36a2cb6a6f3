// What a blocked job waits for, and what becomes of it when that has ended. Only direct parents count, by three rules.

import { isFinal, type JobState } from '../job.ts';

export const DEPENDENCY_RULES = ['success', 'end', 'failure'] as const;
export type DependencyRule = (typeof DEPENDENCY_RULES)[number];

export const FAILURE_POLICIES = ['cancel', 'run', 'hold'] as const;
/** What becomes of a job when what it waits for has ended the wrong way. */
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** One job or group that another job waits for. */
export interface Dependency {
  readonly kind: 'job' | 'group';
  /** The id of the job, or the name of the group. */
  readonly on: string;
  readonly rule: DependencyRule;
}

/** How a parent ended: its final state, or `deleted` if it was removed before it had one. */
export type ParentOutcome = 'completed' | 'dead' | 'cancelled' | 'deleted';

export interface Edge extends Dependency {
  /** null: it has not ended yet. */
  readonly outcome: ParentOutcome | null;
}

export type Verdict =
  | { readonly event: 'unblock'; readonly held: string | null }
  | { readonly event: 'forsake'; readonly reason: string };

/** null: it has to go on waiting. */
export function decideBlocked(edges: readonly Edge[], policy: FailurePolicy): Verdict | null {
  const broken = brokenBy(edges);
  if (broken !== null && policy === 'cancel') return { event: 'forsake', reason: broken };
  if (!isDecided(edges)) return null;
  return { event: 'unblock', held: broken !== null && policy === 'hold' ? broken : null };
}

/** One failure is enough for a job that waits for one; others wait for all of theirs. */
function isDecided(edges: readonly Edge[]): boolean {
  const others = edges.filter(({ rule }) => rule !== 'failure');
  return others.every(hasEnded) && (edges.some(hasFailedAsWished) || edges.every(hasEnded));
}

const hasEnded = ({ outcome }: Edge): boolean => outcome !== null;
const hasFailed = ({ outcome }: Edge): boolean => outcome !== null && outcome !== 'completed';
const hasFailedAsWished = (edge: Edge): boolean => edge.rule === 'failure' && hasFailed(edge);

/** Why the rules can no longer be met, or null while they can. */
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

/** How a job in this state ended; null: it has not. */
export const outcomeOfState = (state: JobState): ParentOutcome | null =>
  isFinal(state) ? (state as ParentOutcome) : null;

/** How a group ended that has these jobs in it; null: it has not. */
export function outcomeOfGroup(counts: Readonly<Record<JobState, number>>): ParentOutcome | null {
  const states = (Object.keys(counts) as JobState[]).filter((state) => counts[state] > 0);
  if (!states.every(isFinal)) return null;
  if (states.includes('dead')) return 'dead';
  return states.includes('cancelled') ? 'cancelled' : 'completed';
}

/** As it is written on a command line and in JSON. */
export const dependencyText = ({ kind, on }: Dependency): string => (kind === 'group' ? `group:${on}` : on);
