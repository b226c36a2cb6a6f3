// The effective isolation of a job and the source of each value: the job, its queue or the settings. Applies the same
// rules as workers do, from src/job. Pure.

import { type ResourceLimits, strictest } from '../../src/job/isolation/resource-limits.ts';
import type { Job, Setting } from '../core/types.ts';
import { type Limit, type Limits, LIMITS, limitLabel, limitWords } from './limits.ts';

type Source = 'job' | 'queue' | 'settings';

export interface InForce {
  readonly label: string;
  readonly words: string;
  readonly from: Source;
}

type Bounds = Pick<Job, 'limits' | 'sandbox' | 'user'>;
type Sources = Readonly<Record<Source, Bounds>>;

export const inForce = (sources: Sources): InForce[] => [
  ...LIMITS.flatMap((limit) => ofLimit(limit, sources)),
  ...firstOf('sandbox', sources),
  ...firstOf('user', sources),
];

/** The queue takes precedence over the settings, as in requiredOf of src/job; both over the job. */
function firstOf(label: 'sandbox' | 'user', sources: Sources): InForce[] {
  const from = (['queue', 'settings', 'job'] as const).find((source) => sources[source][label] !== null);
  return from ? [{ label, words: sources[from][label] ?? '', from }] : [];
}

const ORDER: readonly Source[] = ['job', 'queue', 'settings'];

function ofLimit(limit: Limit, sources: Sources): InForce[] {
  const setBy = ORDER.filter((from) => sources[from].limits?.[limit.shownAs] !== undefined);
  const value = strictest(...setBy.map((from) => only(limit, sources[from].limits)))?.[limit.kind];
  const from =
    limit.name === 'mode'
      ? setBy.find(() => isBestEffort(sources))
      : setBy.find((one) => sources[one].limits?.[limit.shownAs] === value);
  if (from === undefined) return [];
  return [{ label: limitLabel(limit), words: limitWords(limit, sources[from].limits), from }];
}

const only = ({ kind, shownAs }: Limit, limits: Limits | null): ResourceLimits => ({
  [kind]: limits?.[shownAs],
});

/** The mode is shown only if there is a limit. */
const isBestEffort = (sources: Sources): boolean =>
  ORDER.map((from) => sources[from].limits)
    .filter((limits) => limits !== null && Object.keys(limits).some((name) => name !== 'mode'))
    .every((limits) => limits?.mode === 'best-effort');

/** The settings that apply to every job, by the field names of a job. */
export function boundsOf(settings: readonly Pick<Setting, 'key' | 'value'>[]): Bounds {
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
