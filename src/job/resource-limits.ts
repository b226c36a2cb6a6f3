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
