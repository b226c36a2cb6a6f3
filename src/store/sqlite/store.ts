// The SQLite store: each method of the port is bound to the file that implements it. Nouns are created on first use,
// because a short command needs none of them.

import type { Change } from '../../job/change.ts';
import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { JobState, NewJob } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import type { WaitingChange } from '../../job/waiting-change.ts';
import type { Rerun } from '../../job/flow/rerun.ts';
import { givesOthersWork } from '../../job/waking.ts';
import type { SettingValue } from '../../settings/settings.ts';
import type {
  Committed,
  CopiedJob,
  CopiedTables,
  JobFilter,
  ListQuery,
  NewWorker,
  PageQuery,
  PruneQuery,
  SignOfLife,
  Staging,
  StopMode,
  Store,
  Turn,
  TurnResult,
} from '../store.ts';
import type { Database } from '../sql/database.ts';
import { accountsOf } from '../shared/accounts.ts';
import { activityOf } from '../shared/activity.ts';
import { changeSome } from './bulk.ts';
import * as change from './change.ts';
import { brokenRows } from '../shared/check.ts';
import type { Connection, Disk } from './connection.ts';
import { databaseOf } from './database.ts';
import { copyIn, copyOut, copyTablesIn, copyTablesOut } from './copy.ts';
import { dependenciesOf } from './dependencies.ts';
import { change as changeAll } from './edit.ts';
import { drainingQueues, enqueue } from './enqueue.ts';
import { environmentsOf } from '../shared/environments.ts';
import { errorGroups, errorTrend } from '../shared/error-groups.ts';
import { figures } from '../shared/figures.ts';
import { spread } from './figures.ts';
import { groupsOf } from '../shared/groups.ts';
import { hold, refuseWhileMoving } from './hold.ts';
import { hooksOf } from './hooks.ts';
import { idempotencyOf } from '../shared/idempotency.ts';
import * as imports from './import.ts';
import { idsOf, list } from '../shared/list.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { outputsOf } from './outputs.ts';
import { overview } from '../shared/overview.ts';
import { countSome, page } from '../shared/page.ts';
import { prunable, prune } from '../shared/prune.ts';
import * as query from '../shared/query.ts';
import { limitQueue, queueLimits } from '../shared/queues.ts';
import { repairBackoffs } from '../shared/repair-backoffs.ts';
import { schedulesOf } from './schedules.ts';
import { seriesOf } from '../shared/series.ts';
import { rerun } from './rerun.ts';
import { saveSetting } from '../shared/settings.ts';
import { readSettings } from './settings.ts';
import { stage } from './stage.ts';
import { openDatabase } from './startup.ts';
import { stdinOf } from '../shared/stdins.ts';
import { textsOf } from '../shared/texts.ts';
import { takeTurn } from './turn.ts';
import { waitsOf } from './waiting.ts';
import { changeMark, listen, touch } from './wake.ts';
import { wordsOf } from '../shared/words.ts';
import { allWorkers, runningOn } from '../shared/workers.ts';
import * as workers from './workers.ts';

export interface SqliteOptions {
  readonly wakePath: string;
  readonly clock?: (() => number) | undefined;
  /** How long to wait for a locked database. */
  readonly patienceMs?: number | undefined;
  readonly disk?: Disk | undefined;
  /** If false, a missing file is the error queue_not_found. */
  readonly create?: boolean | undefined;
}

export async function openSqlite(path: string, options: SqliteOptions): Promise<Store> {
  const clock = options.clock ?? Date.now;
  const connection = await openDatabase(path, options, clock());
  return new SqliteStore(connection, clock, options.wakePath);
}

class SqliteStore implements Store {
  readonly name: string;
  readonly id: string;
  readonly spansHosts = false;
  readonly lacksPassword = (): boolean => false;
  private readonly connection: Connection;
  private readonly clock: () => number;
  private readonly wakePath: string;
  private shared: Database | undefined;
  private readonly nouns: { -readonly [Name in keyof Store]?: Store[Name] } = {};

  constructor(connection: Connection, clock: () => number, wakePath: string) {
    this.name = connection.path;
    this.id = connection.fileId;
    this.connection = connection;
    this.clock = clock;
    this.wakePath = wakePath;
  }

  get outputs(): Store['outputs'] {
    return this.noun('outputs', () => outputsOf(this.connection));
  }

  get environments(): Store['environments'] {
    return this.noun('environments', () => environmentsOf(this.database));
  }

  get dependencies(): Store['dependencies'] {
    return this.noun('dependencies', () =>
      dependenciesOf(this.connection, this.clock, () => touch(this.wakePath)),
    );
  }

  get schedules(): Store['schedules'] {
    return this.noun('schedules', () =>
      schedulesOf(this.database, this.connection, this.clock, () => touch(this.wakePath)),
    );
  }

  get series(): Store['series'] {
    return this.noun('series', () => seriesOf(this.database));
  }

  get groups(): Store['groups'] {
    return this.noun('groups', () => groupsOf(this.database));
  }

  get queues(): Store['queues'] {
    return this.noun('queues', () => ({
      limits: () => queueLimits(this.database),
      draining: () => this.connection.patiently(() => drainingQueues(this.connection)),
      limit: (queue, change) => limitQueue(this.database, queue, change),
    }));
  }

  get hooks(): Store['hooks'] {
    return this.noun('hooks', () => hooksOf(this.connection));
  }

  get accounts(): Store['accounts'] {
    return this.noun('accounts', () => accountsOf(this.database));
  }

  get activity(): Store['activity'] {
    return this.noun('activity', () => activityOf(this.database));
  }

  get idempotency(): Store['idempotency'] {
    return this.noun('idempotency', () => idempotencyOf(this.database));
  }

  get texts(): Store['texts'] {
    return this.noun('texts', () => textsOf(this.database));
  }

  get waits(): Store['waits'] {
    return this.noun('waits', () => waitsOf(this.connection, this.clock, () => touch(this.wakePath)));
  }

  get words(): Store['words'] {
    return this.noun('words', () => wordsOf(this.database));
  }

  now = () => this.clock();
  close = async () => this.connection.close();
  leave = async () => this.connection.leave();

  enqueue = (jobs: readonly NewJob[], environment: NewEnvironment | null = null) =>
    this.waking(enqueue(this.connection, jobs, environment, this.clock));

  stage = async (environment: NewEnvironment | null = null): Promise<Staging> => {
    const staging = await stage(this.connection, environment, this.clock);
    return { ...staging, commit: () => this.waking(staging.commit()) };
  };

  find = (idOrPrefix: string) => query.find(this.database, idOrPrefix);
  findNamed = (name: string, group: string | null) => query.findNamed(this.database, name, group);
  /** Checks the file, because a client that waits for a job polls this method and should fail if the queue is gone. */
  get = async (id: string) => {
    this.connection.checkStillThere();
    return query.get(this.database, id);
  };
  list = (wanted: ListQuery) => list(this.database, wanted);
  idsOf = (wanted: ListQuery) => idsOf(this.database, wanted);
  page = (wanted: PageQuery) => page(this.database, wanted);
  countSome = (filter: JobFilter, lookAt: number, after: number | null) =>
    countSome(this.database, filter, lookAt, after);
  getAll = (ids: readonly string[], filter: JobFilter) => query.getAll(this.database, ids, filter);
  history = (id: string) => query.history(this.database, id);
  overview = () => overview(this.database);
  databaseBytes = () => this.read(() => this.connection.bytes());
  figures = () => figures(this.database, spread);

  retry = (ids: readonly string[], states: readonly JobState[]) =>
    this.wakingWrite(() => change.retry(this.connection, ids, states, this.clock()));
  rerun = (wanted: Rerun) => this.wakingWrite(() => rerun(this.connection, wanted, this.clock()));
  cancel = (ids: readonly string[]) =>
    this.wakingWrite(() => change.cancel(this.connection, ids, this.clock()));
  remove = (ids: readonly string[]) => this.write(() => change.remove(this.connection, ids));
  change = (ids: readonly string[], wanted: WaitingChange) =>
    this.wakingWrite(() => changeAll(this.connection, ids, wanted, this.clock()));
  changeSome = (ids: readonly string[], filter: JobFilter, wanted: Change) =>
    this.wakingWrite(() => changeSome(this.connection, ids, filter, wanted, this.clock()));
  errorGroups = (filter: JobFilter, limit: number) => errorGroups(this.database, filter, limit);
  errorTrend = (filter: JobFilter, from: number, stepMs: number) =>
    errorTrend(this.database, filter, from, stepMs);
  prunable = (wanted: PruneQuery) => prunable(this.database, wanted);
  prune = (wanted: PruneQuery, limit: number) => prune(this.database, wanted, limit, change.removeSeqs);
  reset = () => this.wakingWrite(() => change.reset(this.connection));

  hold = () => hold(this.connection);
  copyOut = (afterSeq: number, limit: number, filter?: JobFilter) =>
    this.read(() => copyOut(this.connection, afterSeq, limit, filter));
  copyIn = (jobs: readonly CopiedJob[]) => this.waking(copyIn(this.connection, jobs));
  copyTablesOut = () => this.read(() => copyTablesOut(this.connection));
  copyTablesIn = (tables: CopiedTables) => this.wakingWrite(() => copyTablesIn(this.connection, tables));

  readonly schemaVersion = SCHEMA_VERSION;
  copiedColumns = () => this.read(() => imports.copiedColumns(this.connection));
  takenIds = (ids: readonly string[]) => this.read(() => imports.takenIds(this.connection, ids));
  importJobs = (jobs: readonly CopiedJob[]) =>
    this.waking(imports.importJobs(this.connection, jobs, this.clock));
  importTables = (tables: CopiedTables) =>
    this.wakingWrite(() => imports.importTables(this.connection, tables));
  linkImported = (limit: number) =>
    this.wakingWrite(() => imports.linkImported(this.connection, limit, this.clock()));

  settings = () => this.connection.patiently(() => readSettings(this.connection));
  saveSetting = (key: string, value: SettingValue | undefined) => saveSetting(this.database, key, value);

  registerWorker = (worker: NewWorker) =>
    this.write(() => {
      refuseWhileMoving(this.connection);
      workers.register(this.connection, worker, this.clock());
    });
  renew = (id: string, sign: SignOfLife) =>
    this.write(() => workers.renew(this.connection, id, sign, this.clock()));
  workers = () => allWorkers(this.database);
  requestStop = (ids: readonly string[], mode: StopMode) =>
    this.wakingWrite(() => workers.requestStop(this.connection, ids, mode));
  runningOn = (id: string) => this.database.read(() => runningOn(id));
  condemn = (id: string, seenHeartbeat?: number) =>
    this.write(() => workers.condemn(this.connection, id, seenHeartbeat, this.clock()));
  rescue = (id: string, policy: RetryPolicy) =>
    this.wakingWrite(() => workers.rescue(this.connection, id, policy, this.clock()));
  repairBackoffs = () => repairBackoffs(this.database);

  stdinOf = (seq: number) => stdinOf(this.database, seq);

  turn = async (turn: Turn, committed?: Committed): Promise<TurnResult> => {
    const result = await takeTurn(this.connection, turn, this.clock, committed);
    if (givesOthersWork(result.settled, result.makesRoom)) touch(this.wakePath);
    return result;
  };

  onWake = (listener: () => void) => listen(this.wakePath, listener);
  changeMark = () => this.connection.patiently(() => changeMark(this.connection));

  check = async () => [
    ...(await this.read(() => this.connection.brokenPages())),
    ...(await brokenRows(this.database)),
  ];

  /** For code that both stores share. */
  private get database(): Database {
    this.shared ??= databaseOf(this.connection, this.clock, () => touch(this.wakePath));
    return this.shared;
  }

  private noun<Name extends keyof Store>(name: Name, make: () => Store[Name]): Store[Name] {
    const made = this.nouns[name] ?? make();
    this.nouns[name] = made;
    return made;
  }

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
