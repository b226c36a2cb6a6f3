// Resets fields of a schedule or its job to their defaults, by the names that users type: timeout, on-dead, jitter.

import { isOutcomeField } from '../job/input/outcome-input.ts';
import { readEdit } from '../job/input/edit-input.ts';
import { partsAfter } from '../job/input/edit.ts';
import { fieldNamed } from '../job/input/input.ts';
import { invalid } from './invalid.ts';
import type { JobTemplate } from './job-template.ts';
import { SPEC_DEFAULTS, type SpecInput } from './spec.ts';

const { jitterMs, catchUp, catchUpMax, catchUpWindowMs, overlap } = SPEC_DEFAULTS;
const RULES: Readonly<Record<string, SpecInput>> = {
  jitter: { jitterMs },
  catch_up: { catchUp },
  catch_up_max: { catchUpMax },
  catch_up_window: { catchUpWindowMs },
  overlap: { overlap },
};

export interface Unset {
  /** Schedule fields with their defaults. */
  readonly spec: SpecInput;
  /** Names of job fields to reset. */
  readonly ofJob: readonly string[];
}

export function unsetBy(names: readonly string[]): Unset {
  const all = names.flatMap((list) => list.split(',')).map((name) => name.trim().replaceAll('-', '_'));
  const isRule = (name: string): boolean => Object.hasOwn(RULES, name);
  return {
    spec: Object.assign({}, ...all.filter(isRule).map((name) => RULES[name])),
    ofJob: all.filter((name) => !isRule(name)),
  };
}

/** Fields that make no sense without the named field. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  key: ['keyConcurrency'],
  group: ['groupConcurrency', 'groupHooks'],
  uniqueKey: ['uniqueFor', 'ifExists'],
};
/** Fields of which a name resets only a part. */
const IN_PARTS: readonly string[] = ['hooks', 'limits', 'sandbox', 'user', 'secrets'];
const REQUIRED: readonly string[] = ['command', 'cwd'];

export function templateWithout(job: JobTemplate, names: readonly string[]): JobTemplate {
  const fields = names.map((name) => ({ name, field: String(fieldNamed(name)) }));
  const required = fields.find(({ field }) => REQUIRED.includes(field));
  if (required) throw invalid(`the job of a schedule requires '${required.name}'`, `change it with --${required.name}`);
  const isInParts = ({ field }: { field: string }): boolean => IN_PARTS.includes(field) || isOutcomeField(field);
  const gone = new Set(fields.filter((one) => !isInParts(one)).flatMap(({ field }) => [field, ...(WITH[field] ?? [])]));
  const rest = Object.fromEntries(Object.entries(job).filter(([field]) => !gone.has(field)));
  const taken = Object.fromEntries(fields.filter(isInParts).map(({ name }) => [name, null]));
  const edit = readEdit(taken, { now: 0, zone: 'utc', cwd: null });
  const before = {
    id: '',
    timeoutSeconds: gone.has('timeoutSeconds') ? null : (job.timeoutSeconds ?? null),
    outcomeRules: job.outcomeRules ?? null,
    hooks: job.hooks ?? {},
    hookOf: null,
    confinement: job.confinement ?? null,
  };
  return { ...(rest as JobTemplate), ...partsAfter(before, edit) };
}
