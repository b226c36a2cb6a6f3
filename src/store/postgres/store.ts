// The PostgreSQL store: the port's methods, each bound to the file that does its work.

import type { NewEnvironment } from '../../job/environment.ts';
import type { JobState, NewJob } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
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
  StopMode,
  Store,
  Turn,
  TurnResult,
} from '../store.ts';
import * as change from './change.ts';
import { check } from './check.ts';
import { Connection } from './connection.ts';
import { copyIn, copyOut } from './copy.ts';
import { fold } from './counters.ts';
import { enqueue, isLarge, stage } from './enqueue.ts';
import { environmentOfJob, sweepEnvironments } from './environments.ts';
import { figures } from './figures.ts';
import { hold, refuseWhileMoving } from './hold.ts';
import { idsOf, isShort, list } from './list.ts';
import { migrate } from './migrate.ts';
import { outputsOf } from './outputs.ts';
import { overview as seeOverview } from './overview.ts';
import { prunable, prune } from './prune.ts';
import * as query from './query.ts';
import { repairBackoffs } from './repair-backoffs.ts';
import { readSettings, writeSetting } from './settings.ts';
import { folderNameOf, parseTarget } from './target.ts';
import { takeTurn } from './turn.ts';
import { listen, tellAll } from './wake.ts';
import * as workers from './workers.ts';

export interface PostgresOptions {
  /** Default: the server's clock. */
  readonly clock?: (() => number) | undefined;
  /** How long a server is waited for that cannot be reached; default: its connect_timeout. */
  readonly patienceMs?: number | undefined;
  /** How long an answer is waited for before the connection is given up. */
  readonly answerWithinMs?: number | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long the connection for long work is kept when there is none. */
  readonly closeAsideAfterMs?: number | undefined;
  /** false: a schema that is not there is not made. */
  readonly create?: boolean | undefined;
}

/** A worker folds the counters now and then: in a queue that nobody looks at they would only grow. */
const TURNS_BETWEEN_FOLDS = 256;

/** Longer than the time between two chores, so that a worker does not connect again for each. */
const CLOSE_ASIDE_AFTER_MS = 30_000;

const REPEATABLE = { isRepeatable: true };

export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<Store> {
  const target = parseTarget(address, options.environment ?? process.env);
  const patience = {
    patienceMs: options.patienceMs ?? target.connectTimeoutMs,
    clock: options.clock,
    answerWithinMs: options.answerWithinMs,
  };
  const connection = new Connection(target, patience);
  try {
    await migrate(connection, options.create ?? true);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const closeAfterMs = options.closeAsideAfterMs ?? CLOSE_ASIDE_AFTER_MS;
  return new PostgresStore(connection, new Connection(target, { ...patience, closeAfterMs }));
}

class PostgresStore implements Store {
  readonly name: string;
  readonly id: string;
  readonly spansHosts = true;
  readonly outputs: Outputs;
  readonly environments: Environments;
  private readonly connection: Connection;
  private readonly aside: Connection;
  private hasWorker = false;
  private busyTurns = 0;

  constructor(connection: Connection, aside: Connection) {
    this.aside = aside;
    this.name = connection.target.name;
    this.id = folderNameOf(connection.target);
    this.connection = connection;
    this.outputs = outputsOf(connection);
    this.environments = {
      ofJob: (jobId) => environmentOfJob(connection, jobId),
      sweep: (after, limit) => sweepEnvironments(connection, after, limit),
    };
  }

  /**
   * For what may take long: the signs of life of a worker must not wait behind it. Whoever has no worker needs no second
   * connection.
   */
  private get forLong(): Connection {
    return this.hasWorker ? this.aside : this.connection;
  }

  now = () => this.connection.estimatedNow();
  close = async () => {
    await Promise.all([this.connection.close(), this.aside.close()]);
  };
  leave = () => this.close();

  enqueue = (jobs: readonly NewJob[], environment: NewEnvironment | null = null) =>
    enqueue(isLarge(jobs) ? this.forLong : this.connection, jobs, environment);
  stage = (environment: NewEnvironment | null = null) => stage(this.connection, environment);

  find = (idOrPrefix: string) => query.find(this.connection, idOrPrefix);
  get = (id: string) => query.get(this.connection, id);
  list = (wanted: ListQuery) => list(isShort(wanted) ? this.connection : this.forLong, wanted);
  idsOf = (wanted: ListQuery) => idsOf(this.forLong, wanted);
  getAll = (ids: readonly string[], filter: JobFilter) =>
    this.forLong.read((session) => query.getAll(session, ids, filter));
  history = (id: string) => query.history(this.connection, id);
  overview = async () => {
    const { overview, isLong } = await seeOverview(this.connection);
    if (isLong) await fold(this.connection);
    return overview;
  };
  figures = () => figures(this.forLong);

  retry = (ids: readonly string[], states: readonly JobState[]) => change.retry(this.connection, ids, states);
  retryAll = (filter: JobFilter) => change.retryAll(this.forLong, filter);
  cancel = (ids: readonly string[]) => change.cancel(this.connection, ids);
  remove = (ids: readonly string[]) => change.remove(this.connection, ids);
  prunable = (wanted: PruneQuery) => prunable(this.forLong, wanted);
  prune = (wanted: PruneQuery, limit: number) => prune(this.forLong, wanted, limit);
  reset = async () => {
    const removed = await change.reset(this.forLong);
    await fold(this.connection);
    return removed;
  };

  hold = () => hold(this.connection.target);
  copyOut = (afterSeq: number, limit: number) => copyOut(this.forLong, afterSeq, limit);
  copyIn = (jobs: readonly CopiedJob[]) => copyIn(this.forLong, jobs);

  settings = () => readSettings(this.connection);
  saveSetting = (key: string, value: SettingValue | undefined) =>
    this.connection.write(async (session) => {
      await writeSetting(session, key, value);
      tellAll(this.connection, session);
    }, REPEATABLE);

  registerWorker = (worker: NewWorker) => {
    this.hasWorker = true;
    return this.connection.write(async (session) => {
      session.provenBy('SELECT 1 FROM workers WHERE id = $1', [worker.id]);
      await refuseWhileMoving(session, this.connection.target);
      return workers.register(this.connection, session, worker);
    });
  };
  renew = (id: string, sign: SignOfLife) => workers.renew(this.connection, id, sign);
  workers = () => workers.all(this.connection);
  requestStop = (ids: readonly string[], mode: StopMode) =>
    this.connection.write(async (session) => {
      await workers.requestStop(session, ids, mode);
      tellAll(this.connection, session);
    }, REPEATABLE);
  runningOn = (id: string) => workers.runningOn(this.connection, id);
  condemn = (id: string, seenHeartbeat?: number) =>
    this.connection.write(
      (session) => workers.condemn(this.connection, session, id, seenHeartbeat),
      REPEATABLE,
    );
  rescue = (id: string, policy: RetryPolicy) =>
    this.connection.write((session) => {
      session.provenBy('SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM workers WHERE id = $1)', [id]);
      return workers.rescue(this.connection, session, id, policy);
    });
  repairBackoffs = () => repairBackoffs(this.connection);

  turn = async (turn: Turn): Promise<TurnResult> => {
    const result = await takeTurn(this.connection, turn);
    if (result.claimed.length > 0 && ++this.busyTurns % TURNS_BETWEEN_FOLDS === 0)
      await fold(this.connection);
    return result;
  };

  onWake = (listener: () => void) => listen(this.connection.target, listener);

  check = async () => {
    const problems = await check(this.forLong);
    if (problems.length === 0) await this.connection.checkWritable();
    return problems;
  };
}
