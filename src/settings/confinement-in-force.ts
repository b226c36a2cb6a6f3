// What confines a job in the end: what it says itself, what is said of its queue, and what holds for all. A setting named
// after the queue keeps what is said of one, so that it reaches workers with their settings, at every turn. Pure.

import { type Confinement, confinementOf, confinementText } from '../job/isolation/isolation.ts';
import { NO_SANDBOX } from '../job/isolation/sandbox-profile.ts';
import { conflictOf, type Required, requiredOf } from '../job/isolation/isolation-conflict.ts';
import { type ResourceLimits, strictest } from '../job/isolation/resource-limits.ts';

type Stored = Readonly<Partial<Record<string, string | number | null>>>;

const PREFIX = 'confinement:';

/** The setting that keeps what confines the jobs of this queue. */
export const confinementKey = (queue: string): string => `${PREFIX}${queue}`;

/** What is kept there; undefined: nothing. */
export const confinementValue = (confinement: Confinement): string | undefined =>
  confinementText(confinement) ?? undefined;

export class ConfinementInForce {
  private readonly limits: ResourceLimits | undefined;
  /** Of all jobs. */
  private readonly required: Required;
  private readonly queues: ReadonlyMap<string, Confinement | undefined>;

  constructor(stored: Stored, limits: ResourceLimits | undefined, required: Required = {}) {
    const keys = Object.keys(stored).filter((key) => key.startsWith(PREFIX));
    this.queues = new Map(keys.map((key) => [key.slice(PREFIX.length), readable(stored[key])]));
    this.limits = limits;
    this.required = required;
  }

  /** What is said of this queue alone. */
  ofQueue(queue: string): Confinement {
    return this.queues.get(queue) ?? {};
  }

  /** The memory that each job may use of the queues that limit it; undefined: none does, as nearly always. */
  get memoryOfQueues(): Readonly<Record<string, number>> | undefined {
    if (this.queues.size === 0) return undefined;
    const limited = [...this.queues].flatMap(([queue, confinement]): [string, number][] => {
      const bytes = confinement?.limits?.memoryBytes;
      return bytes === undefined ? [] : [[queue, bytes]];
    });
    return limited.length === 0 ? undefined : Object.fromEntries(limited);
  }

  /**
   * null at once when nobody says anything, as of nearly all jobs. undefined: what is said of its queue cannot be read, and
   * so the job must not run.
   */
  of(queue: string, own: Confinement | null): Confinement | null | undefined {
    if (this.holdsForNobody && this.queues.size === 0) return own;
    if (!this.queues.has(queue)) return this.holdsForNobody ? own : this.joined(own ?? {}, {});
    const ofQueue = this.queues.get(queue);
    return ofQueue === undefined ? undefined : this.joined(own ?? {}, ofQueue);
  }

  /** Why a job that says this of itself may not be in this queue, in a sentence; null: it may. */
  conflict(queue: string, own: Confinement): string | null {
    return conflictOf(own, requiredOf(this.ofQueue(queue), this.required), queue);
  }

  /** Whether the queue or the settings, not the job, choose the sandbox of the jobs in this queue. */
  isSandboxRequired(queue: string): boolean {
    const { sandbox = NO_SANDBOX } = requiredOf(this.ofQueue(queue), this.required);
    return sandbox !== NO_SANDBOX;
  }

  private get holdsForNobody(): boolean {
    const { sandbox, user } = this.required;
    return this.limits === undefined && sandbox === undefined && user === undefined;
  }

  /** Of limits the strictest of each kind; a sandbox and a user of the queue, or else of all, before the job's own. */
  private joined(own: Confinement, ofQueue: Confinement): Confinement {
    const limits = strictest(own.limits, ofQueue.limits, this.limits);
    const { limits: _, ...rest } = { ...ofQueue, ...own, ...requiredOf(ofQueue, this.required) };
    return limits === undefined ? rest : { ...rest, limits };
  }
}

const readable = (value: string | number | null | undefined): Confinement | undefined =>
  confinementOf(value) ?? undefined;
