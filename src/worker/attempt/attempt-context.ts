// What an attempt is given by the worker that makes it.

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
  /** Where the queue itself is. */
  readonly place: QueuePlace;
  /** The user its jobs run as, unless the job or its queue names another; null: the user of the worker. */
  readonly user: string | null;
  readonly settings: () => Settings;
  readonly now: () => number;
  /** Until when the lease cannot have been lost: a process that was frozen must not start what others run by now. */
  readonly notAfterMs: () => number;
  /** Whether others may have ended what runs here: we were stalled, or could not renew, for too long. */
  readonly hasRunOut: () => boolean;
  readonly starter: Starter;
  /** Whether orphans of jobs come to this process, and nothing else does. */
  readonly adoptsOrphans: boolean;
  readonly pipes: Pipes;
  /** Handed all output as it comes, when somebody watches; it is only lent. */
  readonly watch?: ((data: Buffer, stream: Stream) => void) | undefined;
  /** The program and arguments that deliver a webhook, or null. */
  readonly webhook: readonly string[] | null;
  /** Where logs are copied to, or null: nobody else could want to read them. */
  readonly mirror: Mirror | null;
  /** What a job that has a standard input of its own is to read. */
  readonly stdinOf: (lease: Lease) => Promise<Uint8Array | null>;
  readonly startCheck: StartCheck;
  readonly vault: Vault;
  /** null: jobs are given no other way to the queue. */
  readonly passes: JobPasses | null;
  /** Sends traces of attempts; null: tracing is off. */
  readonly tracer: () => Tracer | null;
}
