// Hooks: commands and webhooks that the end of a job, or of a group, calls for. What they may say, and when each applies.

import type { ParentOutcome } from './dependencies.ts';

export const HOOK_NAMES = ['on_success', 'on_failure', 'on_dead'] as const;
export type HookName = (typeof HOOK_NAMES)[number];
export type HookEvent = 'success' | 'failure' | 'dead';

/** A command for the shell each, or the address of a webhook. */
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
 * Failure means what it means to jobs that wait for one (`--after-failure`): whatever ended and did not complete. What was
 * removed before it had ended calls for nothing. An attempt that is tried again is no end.
 */
const RULES: Readonly<Record<HookName, HookRule>> = {
  on_success: { event: 'success', outcomes: ['completed'] },
  on_failure: { event: 'failure', outcomes: ['dead', 'cancelled'] },
  on_dead: { event: 'dead', outcomes: ['dead'] },
};

/** What an end calls for: the hooks of the job itself, of its queue and of all add up; the same target is called once. */
export function hookCalls(outcome: ParentOutcome, levels: readonly Hooks[]): HookCall[] {
  return HOOK_NAMES.filter((name) => RULES[name].outcomes.includes(outcome)).flatMap((name) => {
    const targets = new Set(levels.flatMap((hooks) => hooks[name] ?? []));
    return [...targets].map((target) => ({ event: RULES[name].event, target }));
  });
}

export const isWebhook = (target: string): boolean => /^https?:\/\//i.test(target);

/** As it is stored; null: there are none. */
export const hooksText = (hooks: Hooks): string | null =>
  Object.keys(hooks).length === 0 ? null : JSON.stringify(hooks);

/** What somebody has written there by hand, and cannot be read, is no hook. */
export function hooksIn(text: unknown): Hooks {
  if (typeof text !== 'string') return {};
  try {
    const found = JSON.parse(text) as Record<string, unknown> | null;
    const entries = HOOK_NAMES.map((name) => [name, found?.[name]] as const);
    return Object.fromEntries(entries.filter(([, target]) => isTarget(target)));
  } catch {
    return {};
  }
}

const isTarget = (target: unknown): target is string =>
  typeof target === 'string' && target.trim() !== '' && !target.includes('\0');

export interface HookProblem {
  readonly problem: string;
  readonly hint: string;
}

/** Why this can be neither a command nor a webhook; null: it can. */
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
