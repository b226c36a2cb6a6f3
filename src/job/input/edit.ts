// The edit of a waiting job. Most fields are replaced. Of outcome rules, hooks and isolation, only the named parts
// change, so the result depends on the job.

import { QueueError } from '../../errors/errors.ts';
import type { Confinement } from '../isolation/isolation.ts';
import { type ConfinementChange, confinementAfter } from './isolation-edit.ts';
import { HOOK_NAMES, type HookName, type Hooks } from '../flow/hooks.ts';
import type { ReplacedField } from '../fields/fields.ts';
import { invalid } from './input-readers.ts';
import type { NewJob } from '../job.ts';
import { changedRules, type OutcomeChange } from './outcome-input.ts';
import type { OutcomeRules } from '../outcome-rules.ts';

/** Unnamed hooks stay; null removes a hook. */
export type HookChange = Readonly<Partial<Record<HookName, string | null>>>;

/** Unnamed fields stay. */
export type Edit = Partial<Pick<NewJob, ReplacedField>> & {
  readonly outcome?: OutcomeChange;
  readonly hooks?: HookChange;
  readonly confinement?: ConfinementChange;
};

/** The fields that the new rules, hooks and isolation depend on. */
export interface Edited {
  readonly id: string;
  readonly timeoutSeconds: number | null;
  readonly outcomeRules: OutcomeRules | null;
  readonly hooks: Hooks;
  readonly hookOf: string | null;
  /** Undefined if it is unreadable. */
  readonly confinement: Confinement | null | undefined;
}

/** Returns the edited parts of the job. Throws if the result is contradictory. */
export function partsAfter(job: Edited, edit: Edit): Partial<Pick<NewJob, 'outcomeRules' | 'hooks' | 'confinement'>> {
  const { outcome, timeoutSeconds, hooks, confinement } = edit;
  try {
    if (job.hookOf !== null && changesHook(edit))
      throw invalid(
        'a hook job gets its command, directory, variables and secrets from its job',
        'edit the hook instead',
      );
    return {
      ...((outcome !== undefined || timeoutSeconds !== undefined) && { outcomeRules: rulesAfter(job, edit) }),
      ...(hooks !== undefined && { hooks: hooksAfter(job, hooks) }),
      ...(confinement !== undefined && { confinement: confinedAfter(job, confinement) }),
    };
  } catch (error) {
    throw ofJob(job.id, error);
  }
}

/** The policy does not apply to deliveries, so an edit must not add anything to one that the policy would reject. */
const changesHook = ({ command, env, cwd, confinement }: Edit): boolean =>
  [command, env, cwd, confinement?.secrets].some((change) => change !== undefined);

const rulesAfter = (job: Edited, { outcome = {}, timeoutSeconds }: Edit): OutcomeRules | null =>
  changedRules(job.outcomeRules, outcome, timeoutSeconds === undefined ? job.timeoutSeconds : timeoutSeconds);

function hooksAfter({ hooks, hookOf }: Edited, change: HookChange): Hooks {
  if (hookOf !== null) throw invalid('a hook job cannot have hooks', 'remove its hooks');
  const entries = HOOK_NAMES.map((name) => [name, change[name] === undefined ? hooks[name] : change[name]]);
  return Object.fromEntries(entries.filter(([, target]) => target != null));
}

function confinedAfter({ confinement }: Edited, change: ConfinementChange): Confinement | null {
  if (confinement !== undefined) return confinementAfter(confinement, change);
  throw invalid('its isolation is unreadable', 'cancel the job, then enqueue a new one');
}

/** Names the job, because an edit may apply to many jobs. */
function ofJob(id: string, error: unknown): unknown {
  if (!(error instanceof QueueError) || error.code !== 'invalid_job') return error;
  const problem = `job '${id}': ${error.message}`;
  return new QueueError('invalid_job', { problem, hint: error.hint ?? '' }, { cause: error });
}
