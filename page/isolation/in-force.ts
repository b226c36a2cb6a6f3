// The effective isolation of a job and the source of each value: the job, its queue or the settings. Applies the same
// rules as workers do, from src/job. Pure.

import { requiredOf } from '../../src/job/isolation/isolation-conflict.ts';
import { type ResourceLimits, strictest } from '../../src/job/isolation/resource-limits.ts';
import type { Job } from '../core/types.ts';
import { type Limit, type Limits, LIMITS, limitLabel, limitWords } from './limits.ts';

export type Source = 'job' | 'queue' | 'settings';

export interface InForce {
  readonly label: string;
  readonly words: string;
  readonly from: Source;
}

export interface Setting {
  readonly key: string;
  readonly value: unknown;
}

type Bounds = Pick<Job, 'limits' | 'sandbox' | 'user'>;
type Sources = Readonly<Record<Source, Bounds>>;

export function inForce(sources: Sources): InForce[] {
  const { job, queue, settings } = sources;
  const required = requiredOf(requirement(queue), requirement(settings));
  const whose = (name: 'sandbox' | 'user'): Source =>
    queue[name] !== null ? 'queue' : required[name] === undefined ? 'job' : 'settings';
  const [sandbox, user] = [required.sandbox ?? job.sandbox, required.user ?? job.user];
  return [
    ...LIMITS.flatMap((limit) => ofLimit(limit, sources)),
    ...(sandbox === null ? [] : [{ label: 'sandbox', words: sandbox, from: whose('sandbox') }]),
    ...(user === null ? [] : [{ label: 'user', words: user, from: whose('user') }]),
  ];
}

const requirement = ({ sandbox, user }: Bounds) => ({
  ...(sandbox !== null && { sandbox }),
  ...(user !== null && { user }),
});

const ORDER: readonly Source[] = ['job', 'queue', 'settings'];

function ofLimit(limit: Limit, sources: Sources): InForce[] {
  const said = ORDER.filter((from) => sources[from].limits?.[limit.shownAs] !== undefined);
  if (limit.name === 'mode')
    return said.length > 0 && isBestEffort(sources) ? [saidBy(limit, sources, said[0])] : [];
  const value = strictest(...said.map((from) => only(limit, sources[from].limits)))?.[limit.kind];
  const from = said.find((one) => sources[one].limits?.[limit.shownAs] === value);
  return from === undefined ? [] : [saidBy(limit, sources, from)];
}

const only = ({ kind, shownAs }: Limit, limits: Limits | null): ResourceLimits => ({
  [kind]: limits?.[shownAs],
});

/** The mode is shown only if there is a limit. */
const isBestEffort = (sources: Sources): boolean =>
  ORDER.map((from) => sources[from].limits)
    .filter((limits) => limits !== null && Object.keys(limits).some((name) => name !== 'mode'))
    .every((limits) => limits?.mode === 'best-effort');

const saidBy = (limit: Limit, sources: Sources, from: Source = 'job'): InForce => ({
  label: limitLabel(limit),
  words: limitWords(limit, sources[from].limits?.[limit.shownAs]),
  from,
});

/** The settings that apply to every job, by the field names of a job. */
export function boundsOf(settings: readonly Setting[]): Bounds {
  const settingOf = (key: string): unknown => settings.find((setting) => setting.key === key)?.value ?? null;
  const limits = LIMITS.filter(({ name }) => name !== 'mode')
    .map((limit) => [limit.shownAs, settingOf(`limit_${limit.name}`)])
    .filter(([, value]) => value !== null);
  const mode = settingOf('limit_mode') === 'best-effort' ? { mode: 'best-effort' } : {};
  return {
    limits: limits.length === 0 ? null : { ...Object.fromEntries(limits), ...mode },
    sandbox: settingOf('sandbox') as string | null,
    user: settingOf('run_as') as string | null,
  };
}
