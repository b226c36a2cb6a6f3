// The policy: which jobs may run, and for which enqueuers. Applied when a job is enqueued and again before it starts.
// Pure: the caller resolves program and directory paths.

import { basename } from 'node:path';
import { matchesGlob } from '../../text/glob.ts';
import { deliveryAddress } from '../flow/delivery.ts';
import { HOOK_NAMES, type Hooks, isWebhook } from '../flow/hooks.ts';
import type { NewJob } from '../job.ts';
import type { HELD_TO_RECIPES } from './policy-lists.ts';
import { isShellScript } from './shells.ts';

/** A null field is unlimited. */
export interface Policy {
  readonly allowsShell: boolean;
  /** Each entry is a program and its arguments. */
  readonly programs: readonly (readonly string[])[] | null;
  /** Variables that jobs may set if programs or recipes are required; null for none. */
  readonly variables: readonly string[] | null;
  readonly folders: readonly string[] | null;
  readonly queues: readonly string[] | null;
  readonly users: readonly string[] | null;
  readonly heldToRecipes: (typeof HELD_TO_RECIPES)[number];
}

export interface Enqueuer {
  /** Name in the audit log: ann@build7, or the user signed in to the server. */
  readonly name: string;
  readonly via: 'cli' | 'http' | 'mcp' | 'library';
  /** Role of the signed-in user; null on the command line. */
  readonly role: string | null;
}

/** The fields of a job that the policy checks. */
export interface PolicySubject
  extends Pick<NewJob, 'command' | 'queue' | 'cwd' | 'env' | 'confinement'>,
    Partial<Pick<NewJob, 'hooks' | 'groupHooks' | 'hookOf'>> {}

export interface Machine {
  /** Returns the program and its arguments; a string command becomes a shell call. */
  argv(command: NewJob['command']): readonly string[];
  /** Returns the program's absolute path, or null if it is not found on this machine. */
  programPath(name: string): string | null;
  /**
   * Resolves symbolic links. Returns null if the path is not found on this machine. A null path means the default
   * directory.
   */
  realFolder(path: string | null): string | null;
}

/**
 * Checks that need unknown machine details are deferred to the start, where the enqueuer is no longer considered.
 * Schedules pass null.
 */
export type Moment = { readonly enqueuedBy: Enqueuer | null } | 'start';

const enqueuerAt = (moment: Moment): Enqueuer | null => (moment === 'start' ? null : moment.enqueuedBy);

export interface PolicyRejection {
  /** Names programs, directories and queues, but never arguments, which may be secrets. */
  readonly reason: string;
  readonly hint: string;
}

/** Returns null if the job is allowed. */
export function rejectionOf(
  policy: Policy,
  job: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRejection | null {
  if (deliveryAddress(job) !== null) return null; // webhook targets have their own settings
  return (
    userRejection(policy, moment) ??
    recipeRejection(policy, job, moment) ??
    queueRejection(policy, job) ??
    folderRejection(policy, job, machine, moment) ??
    commandRejection(policy, job, machine, moment) ??
    hookRejection(policy, job, machine, moment)
  );
}

function userRejection({ users }: Policy, moment: Moment): PolicyRejection | null {
  const enqueuer = enqueuerAt(moment);
  if (users === null || enqueuer === null || matchesAny(users, enqueuer.name)) return null;
  return rejection(`${enqueuer.name} is not allowed to enqueue`, 'see the setting policy_users: queuectl policy show');
}

/** Also covers hooks and variables, which could otherwise run commands that recipes forbid. */
function recipeRejection(policy: Policy, job: PolicySubject, moment: Moment): PolicyRejection | null {
  if (!isHeldToRecipes(policy, moment)) return null;
  if (job.confinement?.recipe === undefined)
    return rejection('the command must come from a recipe', 'list the recipes: queuectl recipe list');
  const [hook] = hookCommands(job)[0] ?? [];
  if (hook !== undefined)
    return rejection(`the hook ${hook} is a custom command`, 'use a webhook: an http:// or https:// URL');
  if (job.confinement.secrets !== undefined)
    return rejection('the job is not allowed to use secrets', 'remove the secrets; only recipes may use them here');
  if (job.confinement.user !== undefined)
    return rejection('it may not choose the user that it runs as', 'leave it out: the queue or the worker decides');
  return variableRejection(policy, job);
}

function isHeldToRecipes({ heldToRecipes }: Policy, moment: Moment): boolean {
  if (heldToRecipes === 'nobody' || heldToRecipes === 'everybody') return heldToRecipes === 'everybody';
  const enqueuer = enqueuerAt(moment);
  if (enqueuer === null || enqueuer.via === 'cli') return false;
  return heldToRecipes === 'api' || enqueuer.role === 'enqueuer';
}

function queueRejection({ queues }: Policy, { queue }: PolicySubject): PolicyRejection | null {
  if (queues === null || matchesAny(queues, queue)) return null;
  return rejection(`queue '${queue}' accepts no jobs`, `policy_queues: ${queues.join(' ')}`);
}

function folderRejection(
  { folders }: Policy,
  { cwd }: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRejection | null {
  if (folders === null) return null;
  const real = machine.realFolder(cwd);
  if (real === null && (cwd === null || moment !== 'start')) return null; // decided at the start
  const isWithin = folders.some((folder) => isBelow(real ?? cwd ?? '', machine.realFolder(folder) ?? folder));
  if (isWithin) return null;
  const shown = real === null || real === cwd ? `'${cwd}'` : `'${cwd ?? real}' (${real})`;
  return rejection(`jobs are not allowed to run in ${shown}`, `policy_folders: ${folders.join(' ')}`);
}

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

function commandRejection(
  policy: Policy,
  job: PolicySubject,
  machine: Machine,
  moment: Moment,
): PolicyRejection | null {
  const { command } = job;
  if (!policy.allowsShell && (typeof command === 'string' || isShellScript(command)))
    return rejection(
      'shell commands are not allowed',
      'pass a program and its arguments: -- PROGRAM ARG..., or a list in JSON',
    );
  if (policy.programs === null) return null;
  return variableRejection(policy, job) ?? programRejection(policy.programs, machine.argv(command), machine, moment);
}

function programRejection(
  patterns: readonly (readonly string[])[],
  argv: readonly string[],
  machine: Machine,
  moment: Moment,
): PolicyRejection | null {
  const [program = '', ...args] = argv;
  if (program.split('/').includes('..'))
    return rejection(`the path of program '${program}' contains ..`, 'use the absolute path of the program');
  const path = program.startsWith('/') ? program : machine.programPath(program);
  const fitting = patterns.filter(([name = '']) => isProgram(name, program, path, moment));
  if (fitting.some(([, ...words]) => matchesWords(words, args))) return null;
  const shown = path === null || path === program ? `'${program}'` : `'${program}' (${path})`;
  return fitting.length > 0
    ? rejection(`program ${shown} is not allowed with these arguments`, patternHint(fitting))
    : rejection(`program ${shown} is not allowed`, patternHint(patterns));
}

/** A pattern with a path matches the resolved program; a pattern without one matches the name. */
function isProgram(pattern: string, program: string, path: string | null, moment: Moment): boolean {
  if (!pattern.includes('/')) return matchesGlob(pattern, program, '/');
  if (path !== null) return matchesGlob(pattern, path, '/');
  return moment !== 'start' && !program.includes('/') && matchesGlob(basename(pattern), program, '/');
}

/**
 * A final ** matches any number of words. A pattern that does not begin with - never matches an option, unless a --
 * word came before it.
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

/** Variables that queuectl sets for arrays, hooks and traces. Programs do not interpret them. */
const OWN_VARIABLES = ['QUEUECTL_ARRAY_INDEX', 'QUEUECTL_HOOK_*', 'TRACEPARENT', 'TRACESTATE'];

/** Programs interpret countless variables, so jobs may only set those that an admin has allowed. */
function variableRejection({ variables }: Policy, { env, confinement }: PolicySubject): PolicyRejection | null {
  const secret = confinement?.secrets?.map(({ variable }) => variable) ?? [];
  const allowed = [...(variables ?? []), ...OWN_VARIABLES];
  const name = [...Object.keys(env), ...secret].find((variable) => !matchesAny(allowed, variable));
  if (name === undefined) return null;
  const hint =
    variables === null ? 'set the allowed variables in policy_variables' : `policy_variables: ${variables.join(' ')}`;
  return rejection(`variable ${name} is not allowed`, hint);
}

/** Returns true if the policy restricts variables for every enqueuer. */
export const limitsVariables = ({ programs, heldToRecipes }: Policy): boolean =>
  programs !== null || heldToRecipes === 'everybody';

/** Selects the variables a job may inherit from the enqueuing shell. */
export function inheritable<T>(
  policy: Policy | null,
  variables: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  if (policy === null || !limitsVariables(policy)) return variables;
  const allowed = policy.variables ?? [];
  return Object.fromEntries(Object.entries(variables).filter(([name]) => matchesAny(allowed, name)));
}

function hookRejection(policy: Policy, job: PolicySubject, machine: Machine, moment: Moment): PolicyRejection | null {
  for (const [name, command] of hookCommands(job)) {
    const rejected = commandRejection(policy, { ...job, command }, machine, moment);
    if (rejected) return { ...rejected, reason: `hook ${name}: ${rejected.reason}` };
  }
  return null;
}

/** Checks hooks set on a queue, a group or globally, which may run for any job. */
export function rejectionOfHooks(
  policy: Policy,
  hooks: Hooks,
  machine: Machine,
  moment: Moment,
): PolicyRejection | null {
  const nowhere = { command: [], queue: '', cwd: null, env: {}, confinement: null, hooks };
  const [hook] = hookCommands(nowhere)[0] ?? [];
  if (hook === undefined) return null;
  if (isHeldToRecipes(policy, moment))
    return rejection(`the hook ${hook} is a custom command`, 'use a webhook: an http:// or https:// URL');
  return hookRejection(policy, nowhere, machine, moment);
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

const rejection = (reason: string, hint: string): PolicyRejection => ({ reason, hint });

const patternHint = (patterns: readonly (readonly string[])[]): string =>
  `policy_programs: ${patterns.map((words) => words.join(' ')).join('; ')}`;
