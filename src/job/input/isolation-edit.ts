// Edits of the isolation of a waiting job. `limits` as an object replaces all limits; the name of a limit replaces one.
// The recipe cannot change. Pure.

import type { Confinement, SecretUse } from '../isolation/isolation.ts';
import type { ConfinementInput } from './isolation-input.ts';
import { limitKind, nameOf } from './limits-input.ts';
import { secretText } from './secret-input.ts';
import { LIMIT_KINDS, type ResourceLimits } from '../isolation/resource-limits.ts';

/** Unnamed limits stay; null removes a limit. */
export type LimitChange = { readonly [K in keyof ResourceLimits]: ResourceLimits[K] | null };

export interface ConfinementChange {
  readonly limits?: LimitChange;
  readonly sandbox?: string | null;
  readonly user?: string | null;
  /** Replaces all secrets; an empty list removes them. */
  readonly secrets?: readonly SecretUse[];
}

const NO_LIMITS: LimitChange = Object.fromEntries([...LIMIT_KINDS, 'isBestEffort'].map((kind) => [kind, null]));

/** `said` has the input by snake_case name; null values unset a field. */
export function confinementChange(
  read: ConfinementInput,
  said: Readonly<Record<string, unknown>>,
): ConfinementChange | undefined {
  const isUnset = (name: string): boolean => said[name] === null;
  const replacesAll = said.limits !== undefined && typeof said.limits !== 'string';
  const unsetLimits = Object.keys(said).filter((name) => isUnset(name) && limitKind(name) !== undefined);
  const limits: LimitChange = {
    ...(replacesAll && NO_LIMITS),
    ...Object.fromEntries(unsetLimits.map((name) => [limitKind(name), null])),
    ...read.limits,
  };
  const removesSecrets = isUnset('secrets') || isUnset('secret');
  const change: ConfinementChange = {
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(isUnset('sandbox') ? { sandbox: null } : read.sandbox !== undefined && { sandbox: read.sandbox }),
    ...(isUnset('user') ? { user: null } : read.user !== undefined && { user: read.user }),
    ...(removesSecrets ? { secrets: [] } : read.secrets !== undefined && { secrets: read.secrets }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Returns null if no isolation remains. */
export function confinementAfter(before: Confinement | null, change: ConfinementChange): Confinement | null {
  const limits = { ...before?.limits, ...change.limits };
  const kept = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null && value !== false));
  const after = {
    ...before,
    ...change,
    limits: Object.keys(kept).length === 0 ? null : kept,
    secrets: orNone(change.secrets ?? before?.secrets),
  };
  const said = Object.entries(after).filter(([, value]) => value != null);
  return said.length === 0 ? null : Object.fromEntries(said);
}

export function inputOfChange(change: ConfinementChange): Readonly<Record<string, unknown>> {
  const { limits: { isBestEffort, ...limits } = {}, secrets, ...named } = change;
  return {
    ...named,
    ...Object.fromEntries(Object.entries(limits).map(([kind, value]) => [nameOf(kind), value])),
    ...(isBestEffort !== undefined && { limits: isBestEffort ? 'best-effort' : 'strict' }),
    ...(secrets && { secrets: secrets.map(secretText) }),
  };
}

const orNone = <T>(list: readonly T[] | undefined): readonly T[] | null => (list?.length ? list : null);
