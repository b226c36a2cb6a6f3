// Hooks: commands and webhooks that run when a job or group finishes. Defines valid hooks and when each applies.

import { jsonIn } from '../stored-json.ts';
import type { ParentOutcome } from './dependencies.ts';

export const HOOK_NAMES = ['on_success', 'on_failure', 'on_dead'] as const;
export type HookName = (typeof HOOK_NAMES)[number];
export type HookEvent = 'success' | 'failure' | 'dead';

/** Each value is a shell command or a webhook address. */
export type Hooks = Readonly<Partial<Record<HookName, string>>>;

export interface HookCall {
  readonly event: HookEvent;
  readonly target: string;
}

interface HookRule {
  readonly event: HookEvent;
  readonly outcomes: readonly ParentOutcome[];
}

/**
 * Failure means the same as for dependents (`--after-failure`): the job finished without completing. A job deleted
 * before it finished triggers no hook, and neither does an attempt that will be retried.
 */
const RULES: Readonly<Record<HookName, HookRule>> = {
  on_success: { event: 'success', outcomes: ['completed'] },
  on_failure: { event: 'failure', outcomes: ['dead', 'cancelled'] },
  on_dead: { event: 'dead', outcomes: ['dead'] },
};

/** Combines the hooks of the job, its queue and all queues. The same target runs only once. */
export function hookCalls(outcome: ParentOutcome, levels: readonly Hooks[]): HookCall[] {
  return HOOK_NAMES.filter((name) => RULES[name].outcomes.includes(outcome)).flatMap((name) => {
    const targets = new Set(levels.flatMap((hooks) => hooks[name] ?? []));
    return [...targets].map((target) => ({ event: RULES[name].event, target }));
  });
}

export const isWebhook = (target: string): boolean => /^https?:\/\//i.test(target);

/** Returns the stored form, or null if there are no hooks. */
export const hooksText = (hooks: Hooks): string | null =>
  Object.keys(hooks).length === 0 ? null : JSON.stringify(hooks);

/** Ignores unreadable values, which can only come from manual edits of the database. */
export function hooksIn(text: unknown): Hooks {
  if (typeof text !== 'string') return {};
  const found = jsonIn(text) as Record<string, unknown> | null | undefined;
  const entries = HOOK_NAMES.map((name) => [name, found?.[name]] as const);
  return Object.fromEntries(entries.filter(([, target]) => isTarget(target)));
}

const isTarget = (target: unknown): target is string =>
  typeof target === 'string' && target.trim() !== '' && !target.includes('\0');

export interface HookProblem {
  readonly problem: string;
  readonly hint: string;
}

/** Returns why the target is neither a command nor a webhook, or null if it is valid. */
export function problemWithHook(target: string): HookProblem | null {
  if (isWebhook(target)) return problemWithAddress(target);
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(target.trim()) ?? [];
  if (scheme === undefined) return null;
  return {
    problem: `unsupported webhook scheme '${scheme}'`,
    hint: 'use a URL that starts with http:// or https://, or a shell command',
  };
}

function problemWithAddress(address: string): HookProblem | null {
  const url = URL.parse(address);
  if (url === null || /\s/.test(address))
    return {
      problem: `invalid webhook URL '${address}'`,
      hint: 'use a URL such as https://example.com/hook',
    };
  if (url.username === '' && url.password === '') return null;
  return {
    problem: 'the webhook URL contains a password, which every reader of the queue could see',
    hint: 'remove the password, and sign requests instead: queuectl config set webhook_secret SECRET',
  };
}
