// The PostgreSQL store: binds the methods of the port to the files that implement them.

import type { Change } from '../../job/change.ts';
import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { JobState, NewJob } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import type { WaitingChange } from '../../job/waiting-change.ts';
import type { Rerun } from '../../job/flow/rerun.ts';
import type { SettingValue } from '../../settings/settings.ts';
import type {
  Accounts,
  ActivityLog,
  Committed,
  CopiedJob,
  CopiedTables,
  Dependencies,
  Environments,
  Groups,
  HookStore,
  Idempotency,
  JobFilter,
  ListQuery,
  NewWorker,
  Outputs,
  PageQuery,
  PruneQuery,
  Queues,
  Schedules,
  SeriesStore,
  SignOfLife,
  StopMode,
  Store,
  Texts,
  Turn,
  TurnResult,
  Waits,
  Words,
} from '../store.ts';
import type { Database } from '../sql/database.ts';
import { accountsOf } from '../shared/accounts.ts';
import { activityOf } from '../shared/activity.ts';
import { changeSome } from './bulk.ts';
import * as change from './change.ts';
import { brokenRows } from '../shared/check.ts';
import { Connection, type Session } from './session/connection.ts';
import { databaseOf } from './database.ts';
import { copyIn, copyOut, copyTablesIn, copyTablesOut } from './copy.ts';
import { areWorthFolding, fold } from './counters.ts';
import * as dependencies from './dependencies.ts';
import { change as changeAll } from './edit.ts';
import { enqueue, isLarge } from './enqueue.ts';
import { environmentsOf } from '../shared/environments.ts';
import { errorGroups, errorTrend } from '../shared/error-groups.ts';
import { figures } from '../shared/figures.ts';
import { spread } from './figures.ts';
import { groupsOf } from '../shared/groups.ts';
import { hold, refuseWhileMoving } from './hold.ts';
import { hooksOf } from './hooks.ts';
import { idempotencyOf } from '../shared/idempotency.ts';
import * as imports from './import.ts';
import { lacksPassword } from './session/lacks-password.ts';
import { idsOf, list } from '../shared/list.ts';
import { migrate, SCHEMA_VERSION } from './migrate.ts';
import { outputsOf } from './outputs.ts';
import { overview } from '../shared/overview.ts';
import { countSome, page } from '../shared/page.ts';
import { prunable, prune } from '../shared/prune.ts';
import * as query from '../shared/query.ts';
import { limitQueue, queueLimits } from '../shared/queues.ts';
import { drainingQueues } from './queues.ts';
import { repairBackoffs } from '../shared/repair-backoffs.ts';
import { schedulesOf } from './schedules.ts';
import { seriesOf } from '../shared/series.ts';
import { rerun } from './rerun.ts';
import { saveSetting } from '../shared/settings.ts';
import { readSettings } from './settings.ts';
import { folderNameOf, parseTarget } from './session/target.ts';
import { stage } from './stage.ts';
import { stdinOf } from '../shared/stdins.ts';
import { textsOf } from '../shared/texts.ts';
import { keepingProofs } from './proof.ts';
import { takeTurn } from './turn.ts';
import { changeMark, listen, wakeWorkers } from './wake.ts';
import { waitsOf } from './waiting.ts';
import { wordsOf } from '../shared/words.ts';
import { allWorkers, runningOn } from '../shared/workers.ts';
import * as workers from './workers.ts';

export interface PostgresOptions {
  /** Default: the server's clock. */
  readonly clock?: (() => number) | undefined;
  /** Time to wait for a server that cannot be reached; default: connect_timeout. */
  readonly patienceMs?: number | undefined;
  /** Time to wait for a result before the connection is closed. */
  readonly answerWithinMs?: number | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Idle time after which the connection for long work is closed. */
  readonly closeIdleAfterMs?: number | undefined;
  /** false: do not create a missing schema. */
  readonly create?: boolean | undefined;
}

/** A worker folds the counters from time to time: without it they would grow until someone looks at the queue. */
const TURNS_BETWEEN_FOLDS = 256;
/** The counts over time are longer and take longer to fold. */
const TURNS_BETWEEN_SERIES = 2048;

/** Longer than the time between two chores, so that a worker does not reconnect for each of them. */
const CLOSE_IDLE_AFTER_MS = 30_000;

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
  const closeAfterMs = options.closeIdleAfterMs ?? CLOSE_IDLE_AFTER_MS;
  const longConnection = new Connection(target, { ...patience, closeAfterMs });
  return new PostgresStore(connection, longConnection, lacksPassword(address, target));
}

class PostgresStore implements Store {
  readonly name: string;
  readonly id: string;
  readonly spansHosts = true;
  readonly lacksPassword: Store['lacksPassword'];
  readonly outputs: Outputs;
  readonly environments: Environments;
  readonly dependencies: Dependencies;
  readonly schedules: Schedules;
  readonly series: SeriesStore;
  readonly groups: Groups;
  readonly waits: Waits;
  readonly words: Words;
  readonly queues: Queues;
  readonly hooks: HookStore;
  readonly accounts: Accounts;
  readonly activity: ActivityLog;
  readonly idempotency: Idempotency;
  readonly texts: Texts;
  private readonly connection: Connection;
  private readonly database: Database;
  private readonly longConnection: Connection;
  private hasWorker = false;
  private busyTurns = 0;

  constructor(connection: Connection, longConnection: Connection, lacks: Store['lacksPassword']) {
    this.longConnection = longConnection;
    this.lacksPassword = lacks;
    this.name = connection.target.name;
    this.id = folderNameOf(connection.target);
    this.connection = connection;
    this.database = databaseOf(connection, () => this.forLong);
    this.outputs = outputsOf(connection);
    this.environments = environmentsOf(this.database);
    this.schedules = schedulesOf(this.database, connection);
    this.series = seriesOf(this.database);
    this.dependencies = {
      ofJob: (id) => dependencies.edgesOfJob(connection, id),
      childrenOf: (id, limit) => dependencies.childrenOf(connection, id, limit),
      linksOf: (jobs, groups, limit) => dependencies.linksAmong(connection, jobs, groups, limit),
      advance: (limit) => dependencies.advance(connection, limit),
    };
    this.hooks = hooksOf(connection);
    this.accounts = accountsOf(this.database);
    this.texts = textsOf(this.database);
    this.activity = activityOf(this.database);
    this.idempotency = idempotencyOf(this.database);
    this.words = wordsOf(this.database);
    this.waits = waitsOf(this.connection);
    this.groups = groupsOf(this.database);
    this.queues = {
      limits: () => queueLimits(this.database),
      draining: () => connection.read(drainingQueues),
      limit: (queue, change) => limitQueue(this.database, queue, change),
    };
  }

  /**
   * The connection for long work, because the heartbeats of a worker must not wait for it. A process without a worker needs no
   * second connection.
   */
  private get forLong(): Connection {
    return this.hasWorker ? this.longConnection : this.connection;
  }

  now = () => this.connection.estimatedNow();
  close = async () => {
    await Promise.all([this.connection.close(), this.longConnection.close()]);
  };
  leave = () => this.close();

  enqueue = (jobs: readonly NewJob[], environment: NewEnvironment | null = null) =>
    enqueue(isLarge(jobs) ? this.forLong : this.connection, jobs, environment);
  stage = (environment: NewEnvironment | null = null) => stage(this.connection, environment);

  find = (idOrPrefix: string) => query.find(this.database, idOrPrefix);
  findNamed = (name: string, group: string | null) => query.findNamed(this.database, name, group);
  get = (id: string) => query.get(this.database, id);
  list = (wanted: ListQuery) => list(this.database, wanted);
  idsOf = (wanted: ListQuery) => idsOf(this.database, wanted);
  page = (wanted: PageQuery) => page(this.database, wanted);
  countSome = (filter: JobFilter, lookAt: number, after: number | null) =>
    countSome(this.database, filter, lookAt, after);
  getAll = (ids: readonly string[], filter: JobFilter) => query.getAll(this.database, ids, filter);
  history = (id: string) => query.history(this.database, id);
  overview = async () => {
    const seen = await overview(this.database);
    if (await areWorthFolding(this.connection)) await fold(this.connection);
    return seen;
  };
  databaseBytes = () => this.connection.bytes();
  figures = () => figures(this.database, spread);

  retry = (ids: readonly string[], states: readonly JobState[]) => change.retry(this.connection, ids, states);
  rerun = (wanted: Rerun) => rerun(this.forLong, wanted);
  cancel = (ids: readonly string[]) => change.cancel(this.connection, ids);
  remove = (ids: readonly string[]) => change.remove(this.connection, ids);
  change = (ids: readonly string[], wanted: WaitingChange) => changeAll(this.connection, ids, wanted);
  changeSome = (ids: readonly string[], filter: JobFilter, wanted: Change) =>
    changeSome(this.forLong, ids, filter, wanted);
  errorGroups = (filter: JobFilter, limit: number) => errorGroups(this.database, filter, limit);
  errorTrend = (filter: JobFilter, from: number, stepMs: number) =>
    errorTrend(this.database, filter, from, stepMs);
  prunable = (wanted: PruneQuery) => prunable(this.database, wanted);
  prune = (wanted: PruneQuery, limit: number) =>
    prune(this.database, keepingProofs(this.connection, wanted), limit, (session: Session, seqs) =>
      change.removeSeqs(this.connection, session, seqs),
    );
  reset = async () => {
    const removed = await change.reset(this.forLong);
    await fold(this.connection);
    return removed;
  };

  hold = () => hold(this.connection.target);
  copyOut = (afterSeq: number, limit: number, filter?: JobFilter) =>
    copyOut(this.forLong, afterSeq, limit, filter);
  copyIn = (jobs: readonly CopiedJob[]) => copyIn(this.forLong, jobs);
  copyTablesOut = () => copyTablesOut(this.forLong);
  copyTablesIn = (tables: CopiedTables) => copyTablesIn(this.forLong, tables);

  readonly schemaVersion = SCHEMA_VERSION;
  copiedColumns = () => imports.copiedColumns(this.connection);
  takenIds = (ids: readonly string[]) => imports.takenIds(this.connection, ids);
  importJobs = (jobs: readonly CopiedJob[]) => imports.importJobs(this.forLong, jobs);
  importTables = (tables: CopiedTables) => imports.importTables(this.forLong, tables);
  linkImported = (limit: number) => imports.linkImported(this.forLong, limit);

  settings = () => readSettings(this.connection);
  saveSetting = (key: string, value: SettingValue | undefined) => saveSetting(this.database, key, value);

  registerWorker = (worker: NewWorker) => {
    this.hasWorker = true;
    return this.connection.write(async (session) => {
      session.provenBy('SELECT 1 FROM workers WHERE id = $1', [worker.id]);
      await refuseWhileMoving(session, this.connection.target);
      return workers.register(this.connection, session, worker);
    });
  };
  renew = (id: string, sign: SignOfLife) => workers.renew(this.connection, id, sign);
  workers = () => allWorkers(this.database);
  requestStop = (ids: readonly string[], mode: StopMode) =>
    this.connection.write(async (session) => {
      await workers.requestStop(session, ids, mode);
      wakeWorkers(this.connection, session);
    }, REPEATABLE);
  runningOn = (id: string) => this.database.read(() => runningOn(id));
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
  repairBackoffs = () => repairBackoffs(this.database);

  stdinOf = (seq: number) => stdinOf(this.database, seq);

  turn = async (turn: Turn, committed?: Committed): Promise<TurnResult> => {
    const result = await takeTurn(this.connection, turn);
    await committed?.(result);
    if (result.claimed.length === 0) return result;
    this.busyTurns++;
    if (this.busyTurns % TURNS_BETWEEN_FOLDS === 0) await fold(this.connection);
    if (this.busyTurns % TURNS_BETWEEN_SERIES === 0) await this.series.fold();
    return result;
  };

  onWake = (listener: () => void) => listen(this.connection.target, listener);
  changeMark = () => changeMark(this.connection);

  check = async () => {
    const problems = await brokenRows(this.database);
    if (problems.length === 0) await this.connection.checkWritable();
    return problems;
  };
}
