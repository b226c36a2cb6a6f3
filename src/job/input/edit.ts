// What a person may change of a job that waits. Most fields are replaced as they are; of the rules for exit codes, of the hooks and
// of the confinement only what is named changes, so what they come to depends on the job.

import { QueueError } from '../../errors/errors.ts';
import type { Confinement } from '../isolation/isolation.ts';
import { type ConfinementChange, confinementAfter } from './isolation-edit.ts';
import { HOOK_NAMES, type HookName, type Hooks } from '../flow/hooks.ts';
import type { ReplacedField } from '../fields/fields.ts';
import { invalid } from './input-readers.ts';
import type { NewJob } from '../job.ts';
import { changedRules, type OutcomeChange } from './outcome-input.ts';
import type { OutcomeRules } from '../outcome-rules.ts';

/** Hooks that are not named stay; null removes one. */
export type HookChange = Readonly<Partial<Record<HookName, string | null>>>;

/** What is to be different. What is not named stays as it is. */
export type Edit = Partial<Pick<NewJob, ReplacedField>> & {
  readonly outcome?: OutcomeChange;
  readonly hooks?: HookChange;
  readonly confinement?: ConfinementChange;
};

/** What the new rules, hooks and confinement of a job depend on. */
export interface Edited {
  readonly id: string;
  readonly timeoutSeconds: number | null;
  readonly outcomeRules: OutcomeRules | null;
  readonly hooks: Hooks;
  readonly hookOf: string | null;
  /** undefined: it cannot be read. */
  readonly confinement: Confinement | null | undefined;
}

/** The parts of the job afterwards, as far as the edit is about them; refused if they contradict each other. */
export function partsAfter(
  job: Edited,
  edit: Edit,
): Partial<Pick<NewJob, 'outcomeRules' | 'hooks' | 'confinement'>> {
  const { outcome, timeoutSeconds, hooks, confinement } = edit;
  try {
    if (job.hookOf !== null && changesHook(edit))
      throw invalid(
        'it is a hook, whose command, directory, variables and secrets come from its job',
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

/** The policy does not apply to a delivery, so an edit must bring nothing into it that a job could not have. */
const changesHook = ({ command, env, cwd, confinement }: Edit): boolean =>
  [command, env, cwd, confinement?.secrets].some((change) => change !== undefined);

const rulesAfter = (job: Edited, { outcome = {}, timeoutSeconds }: Edit): OutcomeRules | null =>
  changedRules(job.outcomeRules, outcome, timeoutSeconds === undefined ? job.timeoutSeconds : timeoutSeconds);

function hooksAfter({ hooks, hookOf }: Edited, change: HookChange): Hooks {
  if (hookOf !== null) throw invalid('it is a hook itself, and hooks have none', 'leave its hooks out');
  const entries = HOOK_NAMES.map((name) => [name, change[name] === undefined ? hooks[name] : change[name]]);
  return Object.fromEntries(entries.filter(([, target]) => target != null));
}

function confinedAfter({ confinement }: Edited, change: ConfinementChange): Confinement | null {
  if (confinement !== undefined) return confinementAfter(confinement, change);
  throw invalid('what confines it cannot be read', 'cancel it, and enqueue another in its place');
}

/** One of many may be the one in the way. */
function ofJob(id: string, error: unknown): unknown {
  if (!(error instanceof QueueError) || error.code !== 'invalid_job') return error;
  const problem = `job '${id}': ${error.message}`;
  return new QueueError('invalid_job', { problem, hint: error.hint ?? '' }, { cause: error });
}
