// Start conditions of a worker: it starts nothing new while the machine is busy, short of memory or disk, or outside
// the allowed hours. Running jobs continue, and the conditions are checked again later.

import { statfsSync } from 'node:fs';
import { freemem, loadavg, totalmem } from 'node:os';
import { reservedBy } from '../job/isolation/isolation.ts';
import type { Settings } from '../settings/settings.ts';
import type { Task, TurnMemory } from '../store/store.ts';
import { sizeText } from '../text/size.ts';
import { isWithin, parseHours } from '../time/hours.ts';
import { holdingBack } from './holds-back.ts';
import type { WorkerOptions } from './worker-parts.ts';

/** Machine values that the conditions depend on; tests replace them. */
export interface Machine {
  readonly load: () => number;
  readonly freeMemory: () => number;
  readonly freeDisk: () => number;
  readonly now: () => Date;
}

export const machineWith = (folder: string): Machine => ({
  load: () => loadavg()[0] ?? 0,
  freeMemory: freemem,
  freeDisk: () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  now: () => new Date(),
});

/** Default for the memory that a worker's jobs may reserve together. */
export function memoryOfMachine(): number {
  known ??= Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return known;
}

/** Cached, because it is read from several files. */
let known: number | undefined;

const LOOK_AGAIN_MS = 500;

/** A worker for a single job has a waiting user, so it ignores the start conditions. */
export const admissionTo = (
  folder: string,
  { only }: Pick<WorkerOptions, 'only'>,
  settings: () => Settings,
  log: (line: string) => void,
): Admission => new Admission(settings, machineWith(folder), log, only === undefined);

export class Admission {
  private readonly settings: () => Settings;
  private readonly machine: Machine;
  private readonly log: (line: string) => void;
  private reason: string | null = null;
  private seen: Settings | null = null;
  private lookAt = 0;
  private readonly mayWait: boolean;

  constructor(settings: () => Settings, machine: Machine, log: (line: string) => void, mayWait = true) {
    this.mayWait = mayWait;
    this.settings = settings;
    this.machine = machine;
    this.log = log;
  }

  /** Returns the memory that jobs can still reserve, and the total. */
  memoryBeside(running: Iterable<Pick<Task, 'queue' | 'confinement'>>): TurnMemory {
    const settings = this.settings();
    const ofQueues = settings.confinement.memoryOfQueues;
    let freeBytes = this.budget;
    for (const { queue, confinement } of running) freeBytes -= reservedBy(confinement, ofQueues?.[queue]);
    return { bytes: this.budget, freeBytes, ...(ofQueues && { ofQueues }) };
  }

  /** Total memory that its jobs may reserve. */
  get budget(): number {
    return this.settings().limit('memory_budget') ?? memoryOfMachine();
  }

  /** Returns why nothing new is started, or null if the conditions are met. */
  get notice(): string | null {
    return this.reason === null ? null : holdingBack(this.reason);
  }

  /** Called at every turn; queries the machine only now and then. */
  get isOpen(): boolean {
    if (!this.mayWait) return true;
    const settings = this.settings();
    const isDue = settings !== this.seen || performance.now() >= this.lookAt;
    if (isDue) this.look(settings);
    return this.reason === null;
  }

  private look(settings: Settings): void {
    const before = this.reason;
    this.seen = settings;
    this.lookAt = performance.now() + LOOK_AGAIN_MS;
    this.reason = this.reasonBy(settings);
    if (this.reason === null && before !== null) this.log('starting jobs again');
    else if (this.reason !== null && before === null) this.log(holdingBack(this.reason));
  }

  private reasonBy(settings: Settings): string | null {
    const [maxLoad, minMemory, minDisk, hours] = [
      settings.limit('max_load'),
      settings.limit('min_free_memory'),
      settings.limit('min_free_disk'),
      settings.value('hours'),
    ];
    const { load, freeMemory, freeDisk, now } = this.machine;
    const within = hours === null ? null : parseHours(String(hours));
    if (within && !isWithin(within, now())) return `outside its hours, ${hours}`;
    if (maxLoad !== null && load() > maxLoad) return `system load ${load().toFixed(1)} is above ${maxLoad}`;
    if (minMemory !== null && freeMemory() < minMemory)
      return `free memory ${sizeText(freeMemory())} is below ${sizeText(minMemory)}`;
    if (minDisk !== null && freeDisk() < minDisk)
      return `free disk space ${sizeText(freeDisk())} is below ${sizeText(minDisk)}`;
    return null;
  }
}
