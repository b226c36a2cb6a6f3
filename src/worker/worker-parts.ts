// What a worker is told and what it is made of.

import type { Stream } from '../job/output/output-stamps.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Rescue, Rescuer } from '../maintenance/rescue.ts';
import type { Place } from '../store/location.ts';
import type { ProcessIdentity } from '../process/tree/identity.ts';
import type { Pipes } from '../process/output/pipe.ts';
import type { Starter } from '../process/spawn/start.ts';
import type { Settings, Stored } from '../settings/settings.ts';
import type { Rescued, Store } from '../store/store.ts';
import type { JobPasses, OpenJobServer } from './job-socket/job-passes.ts';
import type { StartCheck } from './attempt/start-check.ts';
import type { Tracer } from './tracing.ts';
import type { Vault } from './attempt/vault.ts';

export interface WorkerOptions {
  readonly id: string;
  /** null serves every queue. */
  readonly queues: readonly string[] | null;
  readonly concurrency: number;
  /** Leave when nothing is left to do. */
  readonly drain: boolean;
  /** Run just this job, until it is final. */
  readonly only?: string;
  /** The user its jobs run as, unless the job or its queue names another. */
  readonly user?: string;
  /** Handed all output as it comes; it is only lent. */
  readonly watch?: (data: Buffer, stream: Stream) => void;
  /** Every child of this process is a job of this worker: then orphans of its jobs may come to it. */
  readonly ownsProcess?: boolean;
  /** Tells what happens, a line each. */
  readonly log: (line: string) => void;
  /** The program and arguments that deliver a webhook; without them it is looked for in the PATH. */
  readonly webhook?: readonly string[];
  /** What answers jobs that cannot open the database themselves; without it they are not answered. */
  readonly jobServer?: OpenJobServer;
  /** Arguments that make this program a guard; without them nobody ends the jobs of a worker that is killed. */
  readonly guard?: readonly string[];
}

export interface WorkerParts {
  readonly store: Store;
  readonly place: Place;
  readonly identity: ProcessIdentity;
  /** Settings from the environment: they win over stored ones. */
  readonly overrides: Stored;
  /** What jobs inherit that have no environment of their own. */
  readonly environment: NodeJS.ProcessEnv;
  readonly starter: Starter;
  readonly pipes: Pipes;
  /** Sends traces of what this worker runs; null: tracing is off. */
  readonly openTracer: (
    worker: { readonly id: string; readonly host: string },
    log: (line: string) => void,
  ) => Promise<Tracer | null>;
  readonly chores: (
    own: Rescuer,
    settings: () => Settings,
    log: (line: string) => void,
    rescued: (job: Rescued) => void,
  ) => {
    readonly maintenance: Maintenance;
    readonly rescue: Rescue;
    /** Decides about the ticks of schedules that are due. */
    readonly tick: () => Promise<number>;
    /** What an attempt asks before it starts. */
    readonly atStart: {
      readonly startCheck: StartCheck;
      readonly vault: Vault;
      readonly passes: JobPasses | null;
    };
  };
}
