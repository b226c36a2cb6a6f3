// Gives attempts that cannot open the database by themselves another way to their queue: the address of a socket of this
// worker, and a token that is valid while the attempt runs. Others are given nothing, and cost nothing.

import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOB_SERVER, JOB_TOKEN, jobToken, UNIX } from '../../job/isolation/job-token.ts';
import type { Place } from '../../store/location.ts';
import type { Claimed, Store } from '../../store/store.ts';
import type { AttemptContext } from '../attempt/attempt-context.ts';
import type { Confining } from '../attempt/isolated.ts';
import { SecretSupply } from './secret-supply.ts';
import { inheritedBy } from '../attempt/job-variables.ts';
import { type Holder, type JobServer, JobSocket } from './job-socket.ts';
import { expectShort, makeSocketFolder, socketFolder } from './socket-folder.ts';

export interface JobPass {
  /** For the environment of the attempt. */
  readonly variables: Readonly<Record<string, string>>;
  /** What it must be able to reach. */
  readonly needs: readonly string[];
  /** Not to be seen in its output. */
  readonly secret: Buffer;
  /** From now on it is not valid. */
  end(): void;
}

export type OpenJobServer = (log: (line: string) => void) => Promise<JobServer>;

interface Home {
  readonly store: Store;
  readonly place: Place;
  readonly environment: NodeJS.ProcessEnv;
}

interface Candidate {
  readonly claimed: Claimed;
  readonly confining: Confining;
  /** What it inherits. */
  readonly inherited: () => NodeJS.ProcessEnv;
  /** Whether its lease may have been lost. */
  readonly isInDoubt: () => boolean;
}

const LOOK_EVERY_MS = 1000;

/** Connections at a time: for one attempt, and for all that share a socket. Each takes a file of the worker. */
const [MOST_OWN, MOST_SHARED] = [64, 256];

/** Whether it is given a password, or the name of a file with one. */
function bringsOwn({ env, confinement }: Claimed['job']): boolean {
  const secrets = confinement?.secrets ?? [];
  return [...Object.keys(env), ...secrets.map(({ variable }) => variable)].some(isWayIn);
}

export class JobPasses {
  private readonly home: Home;
  private readonly workerId: string;
  private readonly open: OpenJobServer;
  private readonly log: (line: string) => void;
  /** Of the attempts that nothing keeps apart from each other. */
  private shared: JobSocket | null = null;
  private readonly own = new Set<JobSocket>();
  private server: Promise<JobServer> | null = null;
  private readonly secrets = new SecretSupply();
  private lookedAt = 0;
  private hasListened = false;
  private hasFailed = false;

  constructor(home: Home, workerId: string, open: OpenJobServer, log: (line: string) => void) {
    this.home = home;
    this.workerId = workerId;
    this.open = open;
    this.log = log;
  }

  /** null: it needs none, or there can be none here, and then it runs without. */
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

  private isNeeded({ claimed: { job }, confining, inherited }: Candidate): boolean {
    const { store, place } = this.home;
    if (confining.refusal !== null) return false;
    if (!confining.isApart && !store.lacksPassword(inherited())) return false;
    return place.file !== null || !bringsOwn(job);
  }

  private newPass({ claimed, confining, isInDoubt }: Candidate): JobPass {
    const { id, attempts: attempt, queue, group, cwd } = claimed.job;
    const { isApart, confinement } = confining;
    const socket = isApart ? this.newSocket(claimed) : this.sharedSocket();
    const token = jobToken(this.secrets.next(), this.home.place.dbForJobs);
    const made = new Set<string>();
    const holder: Holder = {
      id,
      attempt,
      queue,
      group,
      cwd,
      confinement,
      isApart,
      made,
      workerId: this.workerId,
    };
    socket.admit(token, holder, () => !isInDoubt());
    return {
      variables: { [JOB_SERVER]: `${UNIX}${socket.path}`, [JOB_TOKEN]: token },
      needs: isApart ? [socket.path] : [],
      secret: Buffer.from(token),
      end: () => (isApart ? this.closeOwn(socket) : socket.dismiss(token)),
    };
  }

  /** Somebody who took this worker for dead may have removed it. */
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

  /** No two workers have the same id, so what is there already was left by a process that is gone. */
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
      return listen(); // a worker that has left took the folder along
    }
  }

  private theServer(): Promise<JobServer> {
    this.server ??= this.open(this.log).catch((error: unknown) => {
      this.server = null; // the next one may find the store again
      throw error;
    });
    return this.server;
  }
}

/** The pass of an attempt that is about to start, if it needs one; it is not valid once the lease is lost. */
export function passFor(
  claimed: Claimed,
  confining: Confining,
  context: AttemptContext,
  hasLost: () => boolean,
): JobPass | null {
  const isInDoubt = (): boolean => hasLost() || context.hasRunOut();
  const inherited = (): NodeJS.ProcessEnv => inheritedBy(claimed, context);
  return context.passes?.issue({ claimed, confining, inherited, isInDoubt }) ?? null;
}

/** With one of these a job was given its own way into a server. */
const isWayIn = (variable: string): boolean => ['PGPASSWORD', 'PGPASSFILE', 'PGSERVICE'].includes(variable);

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Other workers have sockets there.
  }
}
