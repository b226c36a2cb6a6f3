// How much of the machine a job may use. Of two sets of limits the stricter of each kind holds. Pure.

export interface ResourceLimits {
  /** Of all its processes together. */
  readonly memoryBytes?: number;
  readonly cpuSeconds?: number;
  /** 50 is half a core, 200 two of them. */
  readonly cpuPercent?: number;
  readonly processes?: number;
  readonly openFiles?: number;
  readonly fileBytes?: number;
  /** 0 to 19: how far others come first. */
  readonly nice?: number;
  readonly ioClass?: IoClass;
  /** What cannot be enforced here is left out, instead of being a reason not to start. */
  readonly isBestEffort?: boolean;
}

export const IO_CLASSES = ['best-effort', 'idle'] as const;
export type IoClass = (typeof IO_CLASSES)[number];

export type LimitKind = Exclude<keyof ResourceLimits, 'isBestEffort'>;

/** The stricter of two values. */
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

/** Whether it limits anything. */
export const hasLimits = (limits: ResourceLimits | undefined): limits is ResourceLimits =>
  limits !== undefined && LIMIT_KINDS.some((kind) => limits[kind] !== undefined);

/** The stricter of each kind; best effort only if all who limit anything say so. undefined: nothing is limited. */
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
  if (one === undefined || other === undefined)
    return one === other ? [] : [[kind, one === undefined ? other : one]];
  return [[kind, STRICTER[kind](one, other)]];
}
