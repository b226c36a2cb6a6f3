// The PostgreSQL store: binds the methods of the port to the files that implement them.

import type { Store } from '../store.ts';
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
import { hold, rejectWhileMoving } from './hold.ts';
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
  return storeOn(connection, longConnection, lacksPassword(address, target));
}

function storeOn(connection: Connection, longConnection: Connection, lacks: Store['lacksPassword']): Store {
  let hasWorker = false;
  let busyTurns = 0;
  /**
   * The connection for long work, because the heartbeats of a worker must not wait for it. A process without a worker needs no
   * second connection.
   */
  const forLong = (): Connection => (hasWorker ? longConnection : connection);
  const database = databaseOf(connection, forLong);
  const series = seriesOf(database);
  const close = async (): Promise<void> => {
    await Promise.all([connection.close(), longConnection.close()]);
  };
  return {
    name: connection.target.name,
    id: folderNameOf(connection.target),
    spansHosts: true,
    lacksPassword: lacks,
    schemaVersion: SCHEMA_VERSION,
    now: () => connection.estimatedNow(),
    close,
    leave: close,

    outputs: outputsOf(connection),
    environments: environmentsOf(database),
    schedules: schedulesOf(database, connection),
    series,
    dependencies: {
      ofJob: (id) => dependencies.edgesOfJob(connection, id),
      childrenOf: (id, limit) => dependencies.childrenOf(connection, id, limit),
      linksOf: (jobs, groups, limit) => dependencies.linksAmong(connection, jobs, groups, limit),
      advance: (limit) => dependencies.advance(connection, limit),
    },
    hooks: hooksOf(connection),
    accounts: accountsOf(database),
    texts: textsOf(database),
    activity: activityOf(database),
    idempotency: idempotencyOf(database),
    words: wordsOf(database),
    waits: waitsOf(connection),
    groups: groupsOf(database),
    queues: {
      limits: () => queueLimits(database),
      draining: () => connection.read(drainingQueues),
      limit: (queue, change) => limitQueue(database, queue, change),
    },

    enqueue: (jobs, environment = null) => enqueue(isLarge(jobs) ? forLong() : connection, jobs, environment),
    stage: (environment = null) => stage(connection, environment),

    find: (idOrPrefix) => query.find(database, idOrPrefix),
    findNamed: (name, group) => query.findNamed(database, name, group),
    get: (id) => query.get(database, id),
    getAll: (ids, filter) => query.getAll(database, ids, filter),
    history: (id) => query.history(database, id),
    list: (wanted) => list(database, wanted),
    idsOf: (wanted) => idsOf(database, wanted),
    page: (wanted) => page(database, wanted),
    countSome: (filter, lookAt, after) => countSome(database, filter, lookAt, after),
    overview: async () => {
      const seen = await overview(database);
      if (await areWorthFolding(connection)) await fold(connection);
      return seen;
    },
    databaseBytes: () => connection.bytes(),
    figures: () => figures(database, spread),

    retry: (ids, states) => change.retry(connection, ids, states),
    rerun: (wanted) => rerun(forLong(), wanted),
    cancel: (ids) => change.cancel(connection, ids),
    remove: (ids) => change.remove(connection, ids),
    change: (ids, wanted) => changeAll(connection, ids, wanted),
    changeSome: (ids, filter, wanted) => changeSome(forLong(), ids, filter, wanted),
    errorGroups: (filter, limit) => errorGroups(database, filter, limit),
    errorTrend: (filter, from, stepMs) => errorTrend(database, filter, from, stepMs),
    prunable: (wanted) => prunable(database, wanted),
    prune: (wanted, limit) =>
      prune(database, keepingProofs(connection, wanted), limit, (session: Session, seqs) =>
        change.removeSeqs(connection, session, seqs),
      ),
    reset: async () => {
      const removed = await change.reset(forLong());
      await fold(connection);
      return removed;
    },

    hold: () => hold(connection.target),
    copyOut: (afterSeq, limit, filter) => copyOut(forLong(), afterSeq, limit, filter),
    copyIn: (jobs) => copyIn(forLong(), jobs),
    copyTablesOut: () => copyTablesOut(forLong()),
    copyTablesIn: (tables) => copyTablesIn(forLong(), tables),

    copiedColumns: () => imports.copiedColumns(connection),
    takenIds: (ids) => imports.takenIds(connection, ids),
    importJobs: (jobs) => imports.importJobs(forLong(), jobs),
    importTables: (tables) => imports.importTables(forLong(), tables),
    linkImported: (limit) => imports.linkImported(forLong(), limit),

    settings: () => readSettings(connection),
    saveSetting: (key, value) => saveSetting(database, key, value),

    registerWorker: (worker) => {
      hasWorker = true;
      return connection.write(async (session) => {
        session.provenBy('SELECT 1 FROM workers WHERE id = $1', [worker.id]);
        await rejectWhileMoving(session, connection.target);
        return workers.register(connection, session, worker);
      });
    },
    renew: (id, sign) => workers.renew(connection, id, sign),
    workers: () => allWorkers(database),
    requestStop: (ids, mode) =>
      connection.write(async (session) => {
        await workers.requestStop(session, ids, mode);
        wakeWorkers(connection, session);
      }, REPEATABLE),
    runningOn: (id) => database.read(() => runningOn(id)),
    condemn: (id, seenHeartbeat) =>
      connection.write((session) => workers.condemn(connection, session, id, seenHeartbeat), REPEATABLE),
    rescue: (id, policy) =>
      connection.write((session) => {
        session.provenBy('SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM workers WHERE id = $1)', [id]);
        return workers.rescue(connection, session, id, policy);
      }),
    repairBackoffs: () => repairBackoffs(database),

    stdinOf: (seq) => stdinOf(database, seq),

    turn: async (turn) => {
      const result = await takeTurn(connection, turn);
      if (result.claimed.length === 0) return result;
      busyTurns++;
      if (busyTurns % TURNS_BETWEEN_FOLDS === 0) await fold(connection);
      if (busyTurns % TURNS_BETWEEN_SERIES === 0) await series.fold();
      return result;
    },

    onWake: (listener) => listen(connection.target, listener),
    changeMark: () => changeMark(connection),

    check: async () => {
      const problems = await brokenRows(database);
      if (problems.length === 0) await connection.checkWritable();
      return problems;
    },
  };
}
