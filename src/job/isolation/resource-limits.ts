// Resource limits of a job. If several sets apply, the strictest value of each kind counts. Pure.

export interface ResourceLimits {
  /** Total for all processes of the job. */
  readonly memoryBytes?: number;
  readonly cpuSeconds?: number;
  /** 50 is half a core, 200 is two cores. */
  readonly cpuPercent?: number;
  readonly processes?: number;
  readonly openFiles?: number;
  readonly fileBytes?: number;
  /** 0 to 19; a higher value yields to other processes. */
  readonly nice?: number;
  readonly ioClass?: IoClass;
  /** Skips limits that cannot be enforced on this machine instead of failing the start. */
  readonly isBestEffort?: boolean;
}

export const IO_CLASSES = ['best-effort', 'idle'] as const;
export type IoClass = (typeof IO_CLASSES)[number];

export type LimitKind = Exclude<keyof ResourceLimits, 'isBestEffort'>;

/** Returns the stricter of two values. */
const STRICTER: { readonly [K in LimitKind]: (a: Value<K>, b: Value<K>) => Value<K> } = {
  memoryBytes: Math.min,
  cpuSeconds: Math.min,
  cpuPercent: Math.min,
  processes: Math.min,
  openFiles: Math.min,
  fileBytes: Math.min,
  nice: Math.max,
  ioClass: (a, b) => (IO_CLASSES.indexOf(a) > IO_CLASSES.indexOf(b) ? a : b),
};
type Value<K extends LimitKind> = NonNullable<ResourceLimits[K]>;

export const LIMIT_KINDS = Object.keys(STRICTER) as LimitKind[];

export const hasLimits = (limits: ResourceLimits | undefined): limits is ResourceLimits =>
  limits !== undefined && LIMIT_KINDS.some((kind) => limits[kind] !== undefined);

/**
 * Combines the strictest values. Best effort applies only if every set with limits asks for it. Returns undefined if
 * nothing is limited.
 */
export function strictest(...sets: readonly (ResourceLimits | undefined)[]): ResourceLimits | undefined {
  const said = sets.filter(hasLimits);
  if (said.length <= 1) return said[0];
  const isBestEffort = said.every((limits) => limits.isBestEffort);
  const merged = said.reduce((all, limits) =>
    Object.fromEntries(LIMIT_KINDS.flatMap((kind) => stricterOf(kind, all, limits))),
  );
  return isBestEffort ? { ...merged, isBestEffort } : { ...merged };
}

function stricterOf<K extends LimitKind>(kind: K, a: ResourceLimits, b: ResourceLimits): [K, unknown][] {
  const [one, other] = [a[kind], b[kind]] as [Value<K> | undefined, Value<K> | undefined];
  if (one === undefined || other === undefined) return one === other ? [] : [[kind, one === undefined ? other : one]];
  return [[kind, STRICTER[kind](one, other)]];
}
