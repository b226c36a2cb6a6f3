// The SQLite store: the port's methods, each bound to the file that does its work.

import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { QueueError } from '../../errors.ts';
import type { NewEnvironment } from '../../job/environment.ts';
import type { JobState, NewJob } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import { givesOthersWork } from '../../job/waking.ts';
import type { SettingValue } from '../../settings/settings.ts';
import type {
  CopiedJob,
  Environments,
  JobFilter,
  ListQuery,
  NewWorker,
  Outputs,
  PruneQuery,
  SignOfLife,
  Staging,
  StopMode,
  Store,
  Turn,
  TurnResult,
} from '../store.ts';
import * as change from './change.ts';
import { check } from './check.ts';
import { Connection } from './connection.ts';
import { copyIn, copyOut } from './copy.ts';
import { enqueue, stage } from './enqueue.ts';
import { environmentOfJob, sweepEnvironments } from './environments.ts';
import { figures } from './figures.ts';
import { hold, refuseWhileMoving } from './hold.ts';
import { idsOf, list } from './list.ts';
import { migrate } from './migrate.ts';
import { outputsOf } from './outputs.ts';
import { overview } from './overview.ts';
import { prunable, prune } from './prune.ts';
import * as query from './query.ts';
import { repairBackoffs } from './repair-backoffs.ts';
import { readSettings, writeSetting } from './settings.ts';
import { takeTurn } from './turn.ts';
import { listen, touch } from './wake.ts';
import * as workers from './workers.ts';

export interface SqliteOptions {
  readonly wakePath: string;
  readonly clock?: (() => number) | undefined;
  /** How long a locked database is waited for. */
  readonly patienceMs?: number | undefined;
}

const DEFAULT_PATIENCE_MS = 10_000;
const LARGEST_WAL_LEFT = 262_144;

// FULL: what was acknowledged is on disk. The limit gives a WAL that once grew large back to the disk.
const PRAGMAS = `
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 67108864;
`;

export async function openSqlite(path: string, options: SqliteOptions): Promise<Store> {
  const clock = options.clock ?? Date.now;
  createFile(path);
  const connection = new Connection(path, options.patienceMs ?? DEFAULT_PATIENCE_MS);
  try {
    await migrate(connection, clock());
    await connection.patiently(() => connection.exec(PRAGMAS));
  } catch (error) {
    connection.close();
    throw error;
  }
  return new SqliteStore(connection, clock, options.wakePath);
}

/** SQLite would create the file readable for all; its -wal and -shm take their mode from it. */
function createFile(path: string): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error('it is a folder');
    if (there) return;
    makeFolder(dirname(path));
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new QueueError('store_unreachable', { path, problem: (error as Error).message }, { cause: error });
  }
}

/** Node's own recursive mkdir never returns where the system refuses to make a folder, as below /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

class SqliteStore implements Store {
  readonly name: string;
  readonly id: string;
  readonly spansHosts = false;
  readonly outputs: Outputs;
  readonly environments: Environments;
  private readonly connection: Connection;
  private readonly clock: () => number;
  private readonly wakePath: string;

  constructor(connection: Connection, clock: () => number, wakePath: string) {
    this.name = connection.path;
    this.id = connection.fileId;
    this.connection = connection;
    this.outputs = outputsOf(connection);
    this.environments = {
      ofJob: (jobId) => this.read(() => environmentOfJob(connection, jobId)),
      sweep: (after, limit) => sweepEnvironments(connection, after, limit),
    };
    this.clock = clock;
    this.wakePath = wakePath;
  }

  now = () => this.clock();
  close = async () => this.connection.close();

  /**
   * The last connection to close folds the write-ahead log into the database: five syncs instead of one for a short
   * command. So it is left where it is until reading it anew would take longer than that.
   */
  leave = async () => {
    const wal = statSync(`${this.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (wal > LARGEST_WAL_LEFT) this.connection.close();
  };

  enqueue = (jobs: readonly NewJob[], environment: NewEnvironment | null = null) =>
    this.waking(enqueue(this.connection, jobs, environment, this.clock()));

  stage = async (environment: NewEnvironment | null = null): Promise<Staging> => {
    const staging = await stage(this.connection, environment, this.clock);
    return { ...staging, commit: () => this.waking(staging.commit()) };
  };

  find = (idOrPrefix: string) => this.read(() => query.find(this.connection, idOrPrefix));
  /** Whoever waits for a job asks again and again, and is told when the queue is gone. */
  get = (id: string) =>
    this.read(() => {
      this.connection.checkStillThere();
      return query.get(this.connection, id);
    });
  list = (wanted: ListQuery) => this.read(() => list(this.connection, wanted));
  idsOf = (wanted: ListQuery) => this.read(() => idsOf(this.connection, wanted));
  getAll = (ids: readonly string[], filter: JobFilter) =>
    this.read(() => query.getAll(this.connection, ids, filter));
  history = (id: string) => this.read(() => query.history(this.connection, id));
  overview = () => this.read(() => overview(this.connection, this.clock()));
  figures = () => this.read(() => figures(this.connection, this.clock()));

  retry = (ids: readonly string[], states: readonly JobState[]) =>
    this.wakingWrite(() => change.retry(this.connection, ids, states, this.clock()));
  retryAll = (filter: JobFilter) =>
    this.wakingWrite(() => change.retryAll(this.connection, filter, this.clock()));
  cancel = (ids: readonly string[]) =>
    this.wakingWrite(() => change.cancel(this.connection, ids, this.clock()));
  remove = (ids: readonly string[]) => this.write(() => change.remove(this.connection, ids));
  prunable = (wanted: PruneQuery) => this.read(() => prunable(this.connection, wanted));
  prune = (wanted: PruneQuery, limit: number) => this.write(() => prune(this.connection, wanted, limit));
  reset = () => this.wakingWrite(() => change.reset(this.connection));

  hold = () => hold(this.connection);
  copyOut = (afterSeq: number, limit: number) => this.read(() => copyOut(this.connection, afterSeq, limit));
  copyIn = (jobs: readonly CopiedJob[]) => this.waking(copyIn(this.connection, jobs));

  settings = () => this.connection.patiently(() => readSettings(this.connection));
  saveSetting = (key: string, value: SettingValue | undefined) =>
    this.wakingWrite(() => writeSetting(this.connection, key, value));

  registerWorker = (worker: NewWorker) =>
    this.write(() => {
      refuseWhileMoving(this.connection);
      workers.register(this.connection, worker, this.clock());
    });
  renew = (id: string, sign: SignOfLife) =>
    this.write(() => workers.renew(this.connection, id, sign, this.clock()));
  workers = () => this.read(() => workers.all(this.connection));
  requestStop = (ids: readonly string[], mode: StopMode) =>
    this.wakingWrite(() => workers.requestStop(this.connection, ids, mode));
  runningOn = (id: string) => this.read(() => workers.runningOn(this.connection, id));
  condemn = (id: string, seenHeartbeat?: number) =>
    this.write(() => workers.condemn(this.connection, id, seenHeartbeat, this.clock()));
  rescue = (id: string, policy: RetryPolicy) =>
    this.wakingWrite(() => workers.rescue(this.connection, id, policy, this.clock()));
  repairBackoffs = async () => {
    const repaired = await repairBackoffs(this.connection, this.clock());
    if (repaired > 0) touch(this.wakePath);
    return repaired;
  };

  turn = async (turn: Turn): Promise<TurnResult> => {
    const result = await takeTurn(this.connection, turn, this.clock());
    if (givesOthersWork(result.settled, turn.maxConcurrentJobs)) touch(this.wakePath);
    return result;
  };

  onWake = (listener: () => void) => listen(this.wakePath, listener);

  check = () => this.read(() => check(this.connection));

  private read<T>(work: () => T): Promise<T> {
    return this.connection.read(work);
  }

  private write<T>(work: () => T): Promise<T> {
    return this.connection.write(work);
  }

  private wakingWrite<T>(work: () => T): Promise<T> {
    return this.waking(this.write(work));
  }

  private async waking<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    touch(this.wakePath);
    return result;
  }
}
