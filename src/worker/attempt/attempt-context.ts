// Values that a worker passes to its attempts.

import type { Stream } from '../../job/output/output-stamps.ts';
import type { QueuePlace } from '../../isolation/isolate.ts';
import type { Pipes } from '../../process/output/pipe.ts';
import type { Starter } from '../../process/spawn/start.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Lease } from '../../store/store.ts';
import type { JobPasses } from '../job-socket/job-passes.ts';
import type { Mirror } from './mirror.ts';
import type { StartCheck } from './start-check.ts';
import type { Tracer } from '../tracing.ts';
import type { Vault } from './vault.ts';

export interface AttemptContext {
  readonly workerId: string;
  readonly db: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Queue location. */
  readonly place: QueuePlace;
  /** Default user for jobs; null for the worker's user. */
  readonly user: string | null;
  readonly settings: () => Settings;
  readonly now: () => number;
  /**
   * Time until which the lease is certainly valid. A process that was suspended longer must not start a job that
   * another worker may have claimed.
   */
  readonly notAfterMs: () => number;
  /** True if another process may have stopped our jobs because this worker stalled or could not renew its lease. */
  readonly hasRunOut: () => boolean;
  readonly starter: Starter;
  /** True if orphaned job processes, and no other processes, are reparented to this process. */
  readonly adoptsOrphans: boolean;
  readonly pipes: Pipes;
  /** Receives all output as it arrives, if a client is watching. Must not keep the buffer. */
  readonly watch?: ((data: Buffer, stream: Stream) => void) | undefined;
  /** Program and arguments that deliver a webhook, or null. */
  readonly webhook: readonly string[] | null;
  /** Copies logs to the shared store; null if no other host reads them. */
  readonly mirror: Mirror | null;
  /** Returns the job's stored standard input. */
  readonly stdinOf: (lease: Lease) => Promise<Uint8Array | null>;
  readonly startCheck: StartCheck;
  readonly vault: Vault;
  /** Null if jobs get no socket to the queue. */
  readonly passes: JobPasses | null;
  /** Returns null if tracing is off. */
  readonly tracer: () => Tracer | null;
}
