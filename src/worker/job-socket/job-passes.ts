// Gives attempts that cannot open the database access to their queue: a socket of this worker, and a token that is
// valid while the attempt runs. Other attempts get neither and cost nothing.

import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOB_SERVER, JOB_TOKEN, jobToken, UNIX } from '../../job/isolation/job-token.ts';
import type { Claimed } from '../../store/store.ts';
import type { AttemptContext } from '../attempt/attempt-context.ts';
import type { EffectiveIsolation } from '../attempt/isolated.ts';
import { inheritedBy } from '../attempt/job-variables.ts';
import type { QueueBackend } from '../start-worker.ts';
import { type Holder, type JobServer, JobSocket } from './job-socket.ts';
import { expectShort, makeSocketFolder, socketFolder } from './socket-folder.ts';

export interface JobPass {
  /** Variables for the attempt's environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Paths that must be reachable for the attempt. */
  readonly needs: readonly string[];
  /** Secret to mask in the output. */
  readonly secret: Buffer;
  /** Invalidates the token. */
  end(): void;
}

export type OpenJobServer = (log: (line: string) => void) => Promise<JobServer>;

interface Candidate {
  readonly claimed: Claimed;
  readonly isolation: EffectiveIsolation;
  /** Returns the inherited environment. */
  readonly inherited: () => NodeJS.ProcessEnv;
  /** True if the lease may have been lost. */
  readonly isInDoubt: () => boolean;
}

const LOOK_EVERY_MS = 1000;

/**
 * Maximum connections for one attempt, and for all attempts that share a socket. Each uses a file descriptor of the
 * worker.
 */
const [MOST_OWN, MOST_SHARED] = [64, 256];

/** True if the job has its own database password or password file. */
function bringsOwn({ env, confinement }: Claimed['job']): boolean {
  const secrets = confinement?.secrets ?? [];
  return [...Object.keys(env), ...secrets.map(({ variable }) => variable)].some(isWayIn);
}

export class JobPasses {
  private readonly home: QueueBackend;
  private readonly workerId: string;
  private readonly open: OpenJobServer;
  private readonly log: (line: string) => void;
  /** Socket for attempts that are not isolated from each other. */
  private shared: JobSocket | null = null;
  private readonly own = new Set<JobSocket>();
  private server: Promise<JobServer> | null = null;
  private readonly secrets = new SecretSupply();
  private lookedAt = 0;
  private hasListened = false;
  private hasFailed = false;

  constructor(home: QueueBackend, workerId: string, open: OpenJobServer, log: (line: string) => void) {
    this.home = home;
    this.workerId = workerId;
    this.open = open;
    this.log = log;
  }

  /** Returns null if the attempt needs no socket, or if none can be created; it then runs without. */
  issue(candidate: Candidate): JobPass | null {
    if (!this.isNeeded(candidate)) return null;
    try {
      return this.newPass(candidate);
    } catch (error) {
      if (!this.hasFailed) this.log(`jobs cannot reach the queue: ${(error as Error).message}`);
      this.hasFailed = true;
      return null;
    }
  }

  async close(): Promise<void> {
    const sockets = [...(this.shared ? [this.shared] : []), ...this.own];
    for (const socket of sockets) socket.close();
    await (await this.server?.catch(() => null))?.close();
    if (this.hasListened) removeIfEmpty(socketFolder(this.home.place.run, this.home.environment));
  }

  private isNeeded({ claimed: { job }, isolation, inherited }: Candidate): boolean {
    const { store, place } = this.home;
    if (isolation.rejection !== null) return false;
    if (!isolation.isIsolated && !store.lacksPassword(inherited())) return false;
    return place.file !== null || !bringsOwn(job);
  }

  private newPass({ claimed, isolation, isInDoubt }: Candidate): JobPass {
    const { id, attempts: attempt, queue, group, cwd } = claimed.job;
    const { isIsolated, confinement } = isolation;
    const socket = isIsolated ? this.newSocket(claimed) : this.sharedSocket();
    const token = jobToken(this.secrets.next(), this.home.place.dbForJobs);
    const made = new Set<string>();
    const holder: Holder = {
      id,
      attempt,
      queue,
      group,
      cwd,
      confinement,
      isIsolated,
      made,
      workerId: this.workerId,
    };
    socket.admit(token, holder, () => !isInDoubt());
    return {
      variables: { [JOB_SERVER]: `${UNIX}${socket.path}`, [JOB_TOKEN]: token },
      needs: isIsolated ? [socket.path] : [],
      secret: Buffer.from(token),
      end: () => (isIsolated ? this.closeOwn(socket) : socket.dismiss(token)),
    };
  }

  /** Recreates the socket if another process that considered this worker lost has removed it. */
  private sharedSocket(): JobSocket {
    if (this.shared && this.isGone(this.shared)) {
      this.shared.close();
      this.shared = null;
    }
    this.shared ??= this.listen(this.workerId, MOST_SHARED);
    return this.shared;
  }

  private isGone({ path }: JobSocket): boolean {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EVERY_MS) return false;
    this.lookedAt = now;
    return !existsSync(path);
  }

  private newSocket({ seq, run }: Claimed): JobSocket {
    const socket = this.listen(`${this.workerId}.${seq}.${run}`, MOST_OWN);
    this.own.add(socket);
    return socket;
  }

  private closeOwn(socket: JobSocket): void {
    if (this.own.delete(socket)) socket.close();
  }

  /** Worker IDs are unique, so an existing socket belongs to a process that is gone. */
  private listen(name: string, most: number): JobSocket {
    const { place, environment } = this.home;
    const path = join(socketFolder(place.run, environment), name);
    expectShort(path);
    rmSync(path, { force: true });
    this.hasListened = true;
    const listen = (): JobSocket => {
      makeSocketFolder(dirname(path));
      return new JobSocket({ path, most, server: () => this.theServer(), log: this.log });
    };
    try {
      return listen();
    } catch {
      return listen(); // another worker removed the directory when it left
    }
  }

  private theServer(): Promise<JobServer> {
    this.server ??= this.open(this.log).catch((error: unknown) => {
      this.server = null; // the next attempt may find the store again
      throw error;
    });
    return this.server;
  }
}

/** Returns the pass of an attempt that is about to start, if it needs one. The pass expires when the lease is lost. */
export function passFor(
  claimed: Claimed,
  isolation: EffectiveIsolation,
  context: AttemptContext,
  hasLost: () => boolean,
): JobPass | null {
  const isInDoubt = (): boolean => hasLost() || context.hasRunOut();
  const inherited = (): NodeJS.ProcessEnv => inheritedBy(claimed, context);
  return context.passes?.issue({ claimed, isolation, inherited, isInDoubt }) ?? null;
}

/** Variables that give a job its own database access. */
const isWayIn = (variable: string): boolean => ['PGPASSWORD', 'PGPASSFILE', 'PGSERVICE'].includes(variable);

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Other workers have sockets in the directory.
  }
}

const [SECRET_BYTES, SECRETS_AT_ONCE] = [32, 64];

/** Generates unguessable secrets in batches, because the call for random bytes costs more than the bytes. */
class SecretSupply {
  private left: Buffer = Buffer.alloc(0);

  next(): string {
    if (this.left.length < SECRET_BYTES) {
      const { randomBytes } = process.getBuiltinModule('node:crypto'); // most workers never need it
      this.left = randomBytes(SECRETS_AT_ONCE * SECRET_BYTES);
    }
    const secret = this.left.toString('base64url', 0, SECRET_BYTES);
    this.left = this.left.subarray(SECRET_BYTES);
    return secret;
  }
}
