// The PostgreSQL store: the port's methods, each bound to the file that does its work.

import type { JobState, NewJob } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import type { SettingValue } from '../../settings/settings.ts';
import type { Outputs } from '../outputs.ts';
import type {
  CopiedJob,
  JobFilter,
  ListQuery,
  NewWorker,
  PruneQuery,
  SignOfLife,
  StopMode,
  Store,
  Turn,
  TurnResult,
} from '../store.ts';
import * as change from './change.ts';
import { hasFutureEnds, mendBackoffs } from './claim.ts';
import { Connection } from './connection.ts';
import { copyIn, copyOut } from './copy.ts';
import { fold } from './counters.ts';
import { enqueue, stage } from './enqueue.ts';
import { figures } from './figures.ts';
import { migrate } from './migrate.ts';
import { outputsOf } from './outputs.ts';
import * as query from './query.ts';
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
  /** false: a schema that is not there is not made. */
  readonly create?: boolean | undefined;
}

/** A worker folds the counters now and then: in a queue that nobody looks at they would only grow. */
const TURNS_BETWEEN_FOLDS = 256;

export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<Store> {
  const target = parseTarget(address, options.environment ?? process.env);
  const connection = new Connection(target, {
    patienceMs: options.patienceMs ?? target.connectTimeoutMs,
    clock: options.clock,
    answerWithinMs: options.answerWithinMs,
  });
  try {
    await migrate(connection, options.create ?? true);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return new PostgresStore(connection);
}

class PostgresStore implements Store {
  readonly name: string;
  readonly id: string;
  readonly spansHosts = true;
  readonly outputs: Outputs;
  private readonly connection: Connection;
  private busyTurns = 0;

  constructor(connection: Connection) {
    this.name = connection.target.name;
    this.id = folderNameOf(connection.target);
    this.connection = connection;
    this.outputs = outputsOf(connection);
  }

  now = () => this.connection.estimatedNow();
  close = () => this.connection.close();
  leave = () => this.connection.close();

  enqueue = (jobs: readonly NewJob[]) => enqueue(this.connection, jobs);
  stage = () => stage(this.connection);

  find = (idOrPrefix: string) => query.find(this.connection, idOrPrefix);
  get = (id: string) => query.get(this.connection, id);
  list = (wanted: ListQuery) => query.list(this.connection, wanted);
  history = (id: string) => query.history(this.connection, id);
  overview = async () => {
    const { overview, isLong } = await query.overview(this.connection);
    if (isLong) await fold(this.connection);
    return overview;
  };
  figures = () => figures(this.connection);

  retry = (ids: readonly string[], states: readonly JobState[]) => change.retry(this.connection, ids, states);
  retryAll = (filter: JobFilter) => change.retryAll(this.connection, filter);
  cancel = (ids: readonly string[]) => change.cancel(this.connection, ids);
  remove = (ids: readonly string[]) => change.remove(this.connection, ids);
  prunable = (wanted: PruneQuery) => change.prunable(this.connection, wanted);
  prune = (wanted: PruneQuery, limit: number) => change.prune(this.connection, wanted, limit);
  reset = async () => {
    const removed = await change.reset(this.connection);
    await fold(this.connection);
    return removed;
  };

  copyOut = (afterSeq: number, limit: number) => copyOut(this.connection, afterSeq, limit);
  copyIn = (jobs: readonly CopiedJob[]) => copyIn(this.connection, jobs);

  settings = () => readSettings(this.connection);
  saveSetting = (key: string, value: SettingValue | undefined) =>
    this.connection.write(async (session) => {
      await writeSetting(session, key, value);
      tellAll(this.connection, session);
    });

  registerWorker = (worker: NewWorker) =>
    this.connection.write((session) => workers.register(this.connection, session, worker));
  renew = (id: string, sign: SignOfLife) => workers.renew(this.connection, id, sign);
  workers = () => workers.all(this.connection);
  requestStop = (ids: readonly string[], mode: StopMode) =>
    this.connection.write(async (session) => {
      await workers.requestStop(session, ids, mode);
      tellAll(this.connection, session);
    });
  runningOn = (id: string) => workers.runningOn(this.connection, id);
  condemn = (id: string, seenHeartbeat?: number) =>
    this.connection.write((session) => workers.condemn(this.connection, session, id, seenHeartbeat));
  rescue = (id: string, policy: RetryPolicy) =>
    this.connection.write((session) => workers.rescue(this.connection, session, id, policy));
  mendBackoffs = async () => {
    if (!(await hasFutureEnds(this.connection))) return 0;
    return this.connection.write(async (session) => {
      tellAll(this.connection, session);
      return mendBackoffs(this.connection, session);
    });
  };

  turn = async (turn: Turn): Promise<TurnResult> => {
    const result = await takeTurn(this.connection, turn);
    if (result.claimed.length > 0 && ++this.busyTurns % TURNS_BETWEEN_FOLDS === 0)
      await fold(this.connection);
    return result;
  };

  onWake = (listener: () => void) => listen(this.connection.target, listener);

  check = () => query.miscounts(this.connection);
}
