// Options and parts of a worker.

import type { Stream } from '../job/output/output-stamps.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Rescue, Rescuer } from '../maintenance/rescue.ts';
import type { Place } from '../store/location.ts';
import type { ProcessIdentity } from '../process/tree/identity.ts';
import type { Pipes } from '../process/output/pipe.ts';
import type { Starter } from '../process/spawn/start.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import type { LiveSettings } from './live-settings.ts';
import type { JobPasses, OpenJobServer } from './job-socket/job-passes.ts';
import type { StartCheck } from './attempt/start-check.ts';
import type { Tracing } from './tracing.ts';
import type { Vault } from './attempt/vault.ts';

export interface WorkerOptions {
  readonly id: string;
  /** Null for every queue. */
  readonly queues: readonly string[] | null;
  readonly concurrency: number;
  /** Exit when the queues are empty. */
  readonly drain: boolean;
  /** Run only this job, until it is finished. */
  readonly only?: string;
  /** Default user for jobs. */
  readonly user?: string;
  /** Receives all output as it arrives. Must not keep the buffer. */
  readonly watch?: (data: Buffer, stream: Stream) => void;
  /** True if every child of this process is a job of this worker, so that orphans can be attributed to its jobs. */
  readonly ownsProcess?: boolean;
  /** Receives one line per event. */
  readonly log: (line: string) => void;
  /** Program and arguments that deliver a webhook; looked up in the PATH if absent. */
  readonly webhook?: readonly string[];
  /** Serves jobs that cannot open the database themselves; absent if they get no access. */
  readonly jobServer?: OpenJobServer;
  /** Arguments that run this program as a guard. Without them, the jobs of a killed worker are not stopped. */
  readonly guard?: readonly string[];
}

export interface WorkerParts {
  readonly store: Store;
  readonly place: Place;
  readonly own: ProcessIdentity & Rescuer;
  /** Logs one line with the worker's ID. */
  readonly log: (line: string) => void;
  readonly live: LiveSettings;
  /** Returns the settings in effect. */
  readonly settings: () => Settings;
  /** Environment for jobs that have none of their own. */
  readonly environment: NodeJS.ProcessEnv;
  readonly starter: Starter;
  readonly pipes: Pipes;
  readonly tracing: Tracing;
  readonly rescue: Rescue;
  readonly maintenance: Maintenance;
  /** Processes due schedule ticks. */
  readonly tick: () => Promise<number>;
  readonly startCheck: StartCheck;
  readonly vault: Vault;
  /** Null if jobs get no socket to the queue. */
  readonly passes: JobPasses | null;
}
