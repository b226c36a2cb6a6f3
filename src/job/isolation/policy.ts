// What may run in this queue, and for whom: one decision, made when a job is enqueued and once more before it is started.
// Pure: what only the machine knows (where a program is, what a folder really is) is asked of the caller.

import { basename } from 'node:path';
import { matchesGlob } from '../../text/glob.ts';
import { deliveryAddress } from '../flow/delivery.ts';
import { HOOK_NAMES, type Hooks, isWebhook } from '../flow/hooks.ts';
import type { NewJob } from '../job.ts';
import type { HELD_TO_RECIPES } from './policy-lists.ts';
import { isShellScript } from './shells.ts';

/** What is null is not limited. */
export interface Policy {
  readonly allowsShell: boolean;
  /** Words: a program and its arguments. */
  readonly programs: readonly (readonly string[])[] | null;
  /** Variables that jobs may set where programs or recipes are prescribed; null: none. */
  readonly variables: readonly string[] | null;
  readonly folders: readonly string[] | null;
  readonly queues: readonly string[] | null;
  readonly users: readonly string[] | null;
  readonly heldToRecipes: (typeof HELD_TO_RECIPES)[number];
}

/** Who enqueues. */
export interface Enqueuer {
  /** As activity names them: ann@build7, or the user who is logged in to the server. */
  readonly name: string;
  readonly via: 'cli' | 'http' | 'mcp' | 'library';
  /** Of those who are logged in; null: at a command line nobody is. */
  readonly role: string | null;
}

/** What is to run. */
export interface PolicySubject
  extends Pick<NewJob, 'command' | 'queue' | 'cwd' | 'env' | 'confinement'>,
    Partial<Pick<NewJob, 'hooks' | 'groupHooks' | 'hookOf'>> {}

export interface Machine {
  /** The program and its arguments; a text is handed to the shell. */
  argv(command: NewJob['command']): readonly string[];
  /** The absolute path of a program; null: it is not known here. */
  programPath(name: string): string | null;
  /** Without symbolic links; null: it is not known here. null is asked of a job that names no folder. */
  realFolder(path: string | null): string | null;
}

/**
 * What a machine does not know when a job is enqueued is left open until the start, and by then nobody asks who enqueued it.
 * null: a schedule does.
 */
export type Moment = { readonly enqueuedBy: Enqueuer | null } | 'start';

const enqueuerAt = (moment: Moment): Enqueuer | null => (moment === 'start' ? null : moment.enqueuedBy);

export interface PolicyRefusal {
  /** It names programs, folders and queues, never arguments: those may be secrets. */
  readonly reason: string;
  readonly hint: string;
}

/** null: it may run. */
export function refusalOf(
  policy: Policy,
  job: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRefusal | null {
  if (deliveryAddress(job) !== null) return null; // where webhooks may go has settings of its own
  return (
    userRefusal(policy, moment) ??
    recipeRefusal(policy, job, moment) ??
    queueRefusal(policy, job) ??
    folderRefusal(policy, job, machine, moment) ??
    commandRefusal(policy, job, machine, moment) ??
    hookRefusal(policy, job, machine, moment)
  );
}

function userRefusal({ users }: Policy, moment: Moment): PolicyRefusal | null {
  const enqueuer = enqueuerAt(moment);
  if (users === null || enqueuer === null || matchesAny(users, enqueuer.name)) return null;
  return refusal(
    `${enqueuer.name} is not allowed to enqueue`,
    'see the setting policy_users: queuectl policy show',
  );
}

/** Else those who are held to recipes could run by a hook or a variable what they may not run as a command. */
function recipeRefusal(policy: Policy, job: PolicySubject, moment: Moment): PolicyRefusal | null {
  if (!isHeldToRecipes(policy, moment)) return null;
  if (job.confinement?.recipe === undefined)
    return refusal('the command must come from a recipe', 'list the recipes: queuectl recipe list');
  const [hook] = hookCommands(job)[0] ?? [];
  if (hook !== undefined)
    return refusal(`the hook ${hook} is a custom command`, 'use a webhook: an http:// or https:// URL');
  if (job.confinement.secrets !== undefined)
    return refusal(
      'the job is not allowed to use secrets',
      'remove the secrets; only recipes may use them here',
    );
  return variableRefusal(policy, job);
}

function isHeldToRecipes({ heldToRecipes }: Policy, moment: Moment): boolean {
  if (heldToRecipes === 'nobody' || heldToRecipes === 'everybody') return heldToRecipes === 'everybody';
  const enqueuer = enqueuerAt(moment);
  if (enqueuer === null || enqueuer.via === 'cli') return false;
  return heldToRecipes === 'api' || enqueuer.role === 'enqueuer';
}

function queueRefusal({ queues }: Policy, { queue }: PolicySubject): PolicyRefusal | null {
  if (queues === null || matchesAny(queues, queue)) return null;
  return refusal(`queue '${queue}' accepts no jobs`, `policy_queues: ${queues.join(' ')}`);
}

function folderRefusal(
  { folders }: Policy,
  { cwd }: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRefusal | null {
  if (folders === null) return null;
  const real = machine.realFolder(cwd);
  if (real === null && (cwd === null || moment !== 'start')) return null; // the start will know, or find no folder
  const isWithin = folders.some((folder) => isBelow(real ?? cwd ?? '', machine.realFolder(folder) ?? folder));
  if (isWithin) return null;
  const shown = real === null || real === cwd ? `'${cwd}'` : `'${cwd ?? real}' (${real})`;
  return refusal(`jobs are not allowed to run in ${shown}`, `policy_folders: ${folders.join(' ')}`);
}

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

function commandRefusal(
  policy: Policy,
  job: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRefusal | null {
  const { command } = job;
  if (!policy.allowsShell && (typeof command === 'string' || isShellScript(command)))
    return refusal(
      'shell commands are not allowed',
      'pass a program and its arguments: -- PROGRAM ARG..., or a list in JSON',
    );
  if (policy.programs === null) return null;
  return (
    variableRefusal(policy, job) ?? programRefusal(policy.programs, machine.argv(command), machine, moment)
  );
}

function programRefusal(
  patterns: readonly (readonly string[])[],
  argv: readonly string[],
  machine: Machine,
  moment: Moment,
): PolicyRefusal | null {
  const [program = '', ...args] = argv;
  if (program.split('/').includes('..'))
    return refusal(`the path of program '${program}' contains ..`, 'use the absolute path of the program');
  const path = program.startsWith('/') ? program : machine.programPath(program);
  const fitting = patterns.filter(([name = '']) => isProgram(name, program, path, moment));
  if (fitting.some(([, ...words]) => matchesWords(words, args))) return null;
  const shown = path === null || path === program ? `'${program}'` : `'${program}' (${path})`;
  return fitting.length > 0
    ? refusal(`program ${shown} is not allowed with these arguments`, patternHint(fitting))
    : refusal(`program ${shown} is not allowed`, patternHint(patterns));
}

/** A path is compared with where the program is, a name with how it is called. */
function isProgram(pattern: string, program: string, path: string | null, moment: Moment): boolean {
  if (!pattern.includes('/')) return matchesGlob(pattern, program, '/');
  if (path !== null) return matchesGlob(pattern, path, '/');
  return moment !== 'start' && !program.includes('/') && matchesGlob(basename(pattern), program, '/');
}

/**
 * ** comes last, for any number of words. A pattern that does not begin with - matches no option: a program would obey it. After
 * the word -- there are no options.
 */
function matchesWords(patterns: readonly string[], words: readonly string[]): boolean {
  const isOpen = patterns.at(-1) === '**';
  const fixed = isOpen ? patterns.slice(0, -1) : patterns;
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false;
  const end = fixed.indexOf('--');
  const mayBeOption = (i: number): boolean => (end >= 0 && i > end) || fixed[i]?.startsWith('-') === true;
  return fixed.every((pattern, i) => {
    const word = words[i] ?? '';
    return matchesGlob(pattern, word) && (!word.startsWith('-') || mayBeOption(i));
  });
}

/** What queuectl itself puts into the variables of jobs: arrays, hooks, traces. No program obeys them. */
const OWN_VARIABLES = ['QUEUECTL_ARRAY_INDEX', 'QUEUECTL_HOOK_*', 'TRACEPARENT', 'TRACESTATE'];

/** Programs obey variables that nobody can list, so only those that an admin has named may be set. */
function variableRefusal({ variables }: Policy, { env, confinement }: PolicySubject): PolicyRefusal | null {
  const secret = confinement?.secrets?.map(({ variable }) => variable) ?? [];
  const allowed = [...(variables ?? []), ...OWN_VARIABLES];
  const name = [...Object.keys(env), ...secret].find((variable) => !matchesAny(allowed, variable));
  if (name === undefined) return null;
  const hint =
    variables === null
      ? 'set the allowed variables in policy_variables'
      : `policy_variables: ${variables.join(' ')}`;
  return refusal(`variable ${name} is not allowed`, hint);
}

/** Whether no job may bring variables that are not allowed, whoever enqueues it. */
export const limitsVariables = ({ programs, heldToRecipes }: Policy): boolean =>
  programs !== null || heldToRecipes === 'everybody';

/** What a job may have of the environment of the shell that enqueued it. */
export function inheritable<T>(
  policy: Policy | null,
  variables: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  if (policy === null || !limitsVariables(policy)) return variables;
  const allowed = policy.variables ?? [];
  return Object.fromEntries(Object.entries(variables).filter(([name]) => matchesAny(allowed, name)));
}

function hookRefusal(
  policy: Policy,
  job: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRefusal | null {
  for (const [name, command] of hookCommands(job)) {
    const refused = commandRefusal(policy, { ...job, command }, machine, moment);
    if (refused) return { ...refused, reason: `hook ${name}: ${refused.reason}` };
  }
  return null;
}

/** Of hooks that belong to no job of their own: what they run, whatever job calls for it. */
export function refusalOfHooks(
  policy: Policy,
  hooks: Hooks,
  machine: Machine,
  moment: Moment,
): PolicyRefusal | null {
  const nowhere = { command: [], queue: '', cwd: null, env: {}, confinement: null, hooks };
  const [hook] = hookCommands(nowhere)[0] ?? [];
  if (hook === undefined) return null;
  if (isHeldToRecipes(policy, moment))
    return refusal(`the hook ${hook} is a custom command`, 'use a webhook: an http:// or https:// URL');
  return hookRefusal(policy, nowhere, machine, moment);
}

const hookCommands = ({ hooks = {}, groupHooks = {} }: PolicySubject): [string, string][] =>
  [hooks, groupHooks].flatMap(commandsIn);

const commandsIn = (hooks: Hooks): [string, string][] =>
  HOOK_NAMES.flatMap((name): [string, string][] => {
    const target = hooks[name];
    return target === undefined || isWebhook(target) ? [] : [[name, target]];
  });

const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, text));

const refusal = (reason: string, hint: string): PolicyRefusal => ({ reason, hint });

const patternHint = (patterns: readonly (readonly string[])[]): string =>
  `policy_programs: ${patterns.map((words) => words.join(' ')).join('; ')}`;
