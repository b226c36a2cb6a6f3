// Combines a job's isolation with that of its queue and the global settings. A setting named after the queue stores the
// queue's isolation, so that workers receive it with the settings at every turn. Pure.

import { type Confinement, confinementOf, confinementText } from '../job/isolation/isolation.ts';
import { NO_SANDBOX } from '../job/isolation/sandbox-profile.ts';
import { conflictOf, type Required, requiredOf } from '../job/isolation/isolation-conflict.ts';
import { type ResourceLimits, strictest } from '../job/isolation/resource-limits.ts';

type Stored = Readonly<Partial<Record<string, string | number | null>>>;

const PREFIX = 'confinement:';

/** Name of the setting for this queue's isolation. */
export const confinementKey = (queue: string): string => `${PREFIX}${queue}`;

/** Returns the setting's value, or undefined if it is empty. */
export const confinementValue = (confinement: Confinement): string | undefined =>
  confinementText(confinement) ?? undefined;

export class ConfinementInForce {
  private readonly limits: ResourceLimits | undefined;
  /** Required for all jobs. */
  private readonly required: Required;
  private readonly queues: ReadonlyMap<string, Confinement | undefined>;

  constructor(stored: Stored, limits: ResourceLimits | undefined, required: Required = {}) {
    const keys = Object.keys(stored).filter((key) => key.startsWith(PREFIX));
    this.queues = new Map(keys.map((key) => [key.slice(PREFIX.length), readable(stored[key])]));
    this.limits = limits;
    this.required = required;
  }

  /** Isolation of this queue only. */
  ofQueue(queue: string): Confinement {
    return this.queues.get(queue) ?? {};
  }

  /** Memory limit per job by queue; undefined in the usual case that no queue sets one. */
  get memoryOfQueues(): Readonly<Record<string, number>> | undefined {
    if (this.queues.size === 0) return undefined;
    const limited = [...this.queues].flatMap(([queue, confinement]): [string, number][] => {
      const bytes = confinement?.limits?.memoryBytes;
      return bytes === undefined ? [] : [[queue, bytes]];
    });
    return limited.length === 0 ? undefined : Object.fromEntries(limited);
  }

  /**
   * Returns null early if nothing is set, as for most jobs. Returns undefined if the queue's isolation is unreadable;
   * the job must not run then.
   */
  of(queue: string, own: Confinement | null): Confinement | null | undefined {
    if (this.holdsForNobody && this.queues.size === 0) return own;
    if (!this.queues.has(queue)) return this.holdsForNobody ? own : this.joined(own ?? {}, {});
    const ofQueue = this.queues.get(queue);
    return ofQueue === undefined ? undefined : this.joined(own ?? {}, ofQueue);
  }

  /** Returns a sentence about a conflict between the job and its queue, or null. */
  conflict(queue: string, own: Confinement): string | null {
    return conflictOf(own, requiredOf(this.ofQueue(queue), this.required), queue);
  }

  /** True if the queue or the settings choose the sandbox. */
  isSandboxRequired(queue: string): boolean {
    const { sandbox = NO_SANDBOX } = requiredOf(this.ofQueue(queue), this.required);
    return sandbox !== NO_SANDBOX;
  }

  private get holdsForNobody(): boolean {
    const { sandbox, user } = this.required;
    return this.limits === undefined && sandbox === undefined && user === undefined;
  }

  /** Takes the strictest limits. Sandbox and user of the queue, or else the global ones, override the job's. */
  private joined(own: Confinement, ofQueue: Confinement): Confinement {
    const limits = strictest(own.limits, ofQueue.limits, this.limits);
    const { limits: _, ...rest } = { ...ofQueue, ...own, ...requiredOf(ofQueue, this.required) };
    return limits === undefined ? rest : { ...rest, limits };
  }
}

const readable = (value: string | number | null | undefined): Confinement | undefined =>
  confinementOf(value) ?? undefined;
