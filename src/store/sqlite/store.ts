// The SQLite store: each method of the port is bound to the file that implements it. Nouns are created on first use,
// because a short command needs none of them.

import { givesOthersWork } from '../../job/waking.ts';
import type { Queues, Store } from '../store.ts';
import type { Database } from '../sql/database.ts';
import { accountsOf } from '../shared/accounts.ts';
import { activityOf } from '../shared/activity.ts';
import { changeSome } from './bulk.ts';
import * as change from './change.ts';
import { brokenRows } from '../shared/check.ts';
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
import { hold, rejectWhileMoving } from './hold.ts';
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
  /** If false, a missing file is the error queue_not_found. */
  readonly create?: boolean | undefined;
}

export async function openSqlite(path: string, options: SqliteOptions): Promise<Store> {
  const { clock = Date.now, wakePath } = options;
  const connection = await openDatabase(path, options, clock());
  const wake = (): void => touch(wakePath);
  let shared: Database | undefined;
  const database = (): Database => (shared ??= databaseOf(connection, clock, wake));

  const read = <T>(work: () => T): Promise<T> => connection.read(work);
  const write = <T>(work: () => T): Promise<T> => connection.write(work);
  const waking = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change;
    wake();
    return result;
  };
  const wakingWrite = <T>(work: () => T): Promise<T> => waking(write(work));

  const nouns = lazily({
    outputs: () => outputsOf(connection),
    environments: () => environmentsOf(database()),
    dependencies: () => dependenciesOf(connection, clock, wake),
    schedules: () => schedulesOf(database(), connection, clock, wake),
    series: () => seriesOf(database()),
    groups: () => groupsOf(database()),
    queues: (): Queues => ({
      limits: () => queueLimits(database()),
      draining: () => connection.patiently(() => drainingQueues(connection)),
      limit: (queue, change) => limitQueue(database(), queue, change),
    }),
    hooks: () => hooksOf(connection),
    accounts: () => accountsOf(database()),
    activity: () => activityOf(database()),
    idempotency: () => idempotencyOf(database()),
    texts: () => textsOf(database()),
    waits: () => waitsOf(connection, clock, wake),
    words: () => wordsOf(database()),
  });

  const methods: Omit<Store, keyof typeof nouns> = {
    name: connection.path,
    id: connection.fileId,
    spansHosts: false,
    lacksPassword: () => false,
    now: () => clock(),
    close: async () => connection.close(),
    leave: async () => connection.leave(),

    enqueue: (jobs, environment = null) => waking(enqueue(connection, jobs, environment, clock)),
    stage: async (environment = null) => {
      const staging = await stage(connection, environment, clock);
      return { ...staging, commit: () => waking(staging.commit()) };
    },

    find: (idOrPrefix) => query.find(database(), idOrPrefix),
    findNamed: (name, group) => query.findNamed(database(), name, group),
    /** Checks the file, because a client that waits for a job polls this method and should fail if the queue is gone. */
    get: async (id) => {
      connection.checkStillThere();
      return query.get(database(), id);
    },
    list: (wanted) => list(database(), wanted),
    idsOf: (wanted) => idsOf(database(), wanted),
    page: (wanted) => page(database(), wanted),
    countSome: (filter, lookAt, after) => countSome(database(), filter, lookAt, after),
    getAll: (ids, filter) => query.getAll(database(), ids, filter),
    history: (id) => query.history(database(), id),
    stdinOf: (seq) => stdinOf(database(), seq),
    overview: () => overview(database()),
    databaseBytes: () => read(() => connection.bytes()),
    figures: () => figures(database(), spread),

    retry: (ids, states) => wakingWrite(() => change.retry(connection, ids, states, clock())),
    rerun: (wanted) => wakingWrite(() => rerun(connection, wanted, clock())),
    cancel: (ids) => wakingWrite(() => change.cancel(connection, ids, clock())),
    remove: (ids) => write(() => change.remove(connection, ids)),
    change: (ids, wanted) => wakingWrite(() => changeAll(connection, ids, wanted, clock())),
    changeSome: (ids, filter, wanted) => wakingWrite(() => changeSome(connection, ids, filter, wanted, clock())),
    reset: () => wakingWrite(() => change.reset(connection)),
    errorGroups: (filter, limit) => errorGroups(database(), filter, limit),
    errorTrend: (filter, from, stepMs) => errorTrend(database(), filter, from, stepMs),
    prunable: (wanted) => prunable(database(), wanted),
    prune: (wanted, limit) => prune(database(), wanted, limit, change.removeSeqs),
    repairBackoffs: () => repairBackoffs(database()),
    check: async () => [...(await read(() => connection.brokenPages())), ...(await brokenRows(database()))],

    hold: () => hold(connection),
    copyOut: (afterSeq, limit, filter) => read(() => copyOut(connection, afterSeq, limit, filter)),
    copyIn: (jobs) => waking(copyIn(connection, jobs)),
    copyTablesOut: () => read(() => copyTablesOut(connection)),
    copyTablesIn: (tables) => wakingWrite(() => copyTablesIn(connection, tables)),

    schemaVersion: SCHEMA_VERSION,
    copiedColumns: () => read(() => imports.copiedColumns(connection)),
    takenIds: (ids) => read(() => imports.takenIds(connection, ids)),
    importJobs: (jobs) => waking(imports.importJobs(connection, jobs, clock)),
    importTables: (tables) => wakingWrite(() => imports.importTables(connection, tables)),
    linkImported: (limit) => wakingWrite(() => imports.linkImported(connection, limit, clock())),

    settings: () => connection.patiently(() => readSettings(connection)),
    saveSetting: (key, value) => saveSetting(database(), key, value),

    registerWorker: (worker) =>
      write(() => {
        rejectWhileMoving(connection);
        workers.register(connection, worker, clock());
      }),
    renew: (id, sign) => write(() => workers.renew(connection, id, sign, clock())),
    workers: () => allWorkers(database()),
    requestStop: (ids, mode) => wakingWrite(() => workers.requestStop(connection, ids, mode)),
    runningOn: (id) => database().read(() => runningOn(id)),
    condemn: (id, seenHeartbeat) => write(() => workers.condemn(connection, id, seenHeartbeat, clock())),
    rescue: (id, policy) => wakingWrite(() => workers.rescue(connection, id, policy, clock())),
    turn: async (turn) => {
      const result = await takeTurn(connection, turn, clock);
      if (givesOthersWork(result.settled, result.makesRoom)) wake();
      return result;
    },

    onWake: (listener) => listen(wakePath, listener),
    changeMark: () => connection.patiently(() => changeMark(connection)),
  };
  return Object.assign(nouns, methods);
}

/** Returns an object that creates each property when it is first read. */
function lazily<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const name of Object.keys(makers) as (keyof T)[])
    Object.defineProperty(made, name, {
      configurable: true,
      get: () => {
        const value = makers[name]();
        Object.defineProperty(made, name, { value });
        return value;
      },
    });
  return made;
}
