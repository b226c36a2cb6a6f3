// Enqueuing any number of jobs through a temporary table, without holding a lock. Also used for all jobs that are not
// plain.

import type { QueueError } from '../../errors/errors.ts';
import type { NewEnvironment } from '../../job/environment/environment.ts';
import { BLOCKED_STATE, FIRST_STATE } from '../../job/fresh-job.ts';
import type { NewJob } from '../../job/job.ts';
import { READINESS } from '../../job/readiness.ts';
import { firstGateAt, firstReady, firstReadyAtGate, firstRunAt } from '../sql/due.ts';
import { rememberGroup } from '../rows/group-rows.ts';
import { IS_GATED } from '../rows/limit-rows.ts';
import { countQueue } from '../../series/by-queue.ts';
import { flowValues, isPlain, newJobValues } from '../rows/new-job-rows.ts';
import type { Staging } from '../store.ts';
import { UNIQUE_COLUMNS, uniqueValues } from '../rows/unique-rows.ts';
import type { Connection } from './connection.ts';
import { linkNew } from './dependencies.ts';
import { keepEnvironment } from './environments.ts';
import { isConstraint } from './failures.ts';
import { keepGroups } from './groups.ts';
import { ALL_COLUMNS, COLUMNS, placesFor, taken } from './insert-jobs.ts';
import { keepStagedStdins } from './stdins.ts';
import { tagNew } from './tags.ts';
import { tallyEnqueued } from './tally.ts';
import { admitUnique } from './unique.ts';

const STAGED_COLUMNS = `${ALL_COLUMNS}, ${UNIQUE_COLUMNS.join(', ')}`;
const WITH_STDIN = `${STAGED_COLUMNS}, stdin`;

/**
 * Collects jobs in a temporary table of this connection and moves them in one transaction. So a slow producer holds no
 * lock, memory stays small, and an invalid last line leaves no trace.
 */
export async function stage(
  connection: Connection,
  environment: NewEnvironment | null,
  clock: () => number,
): Promise<Staging> {
  const staged = createStaged(connection);
  connection.isStaging = true;
  const instead = new Map<string, string>();
  return {
    instead,
    add: (jobs) => connection.read(() => staged.add(jobs)),
    commit: async () => {
      const moved = await connection.write(() =>
        moveOver(connection, staged, keepEnvironment(connection, environment), clock()),
      );
      for (const [id, other] of moved.instead) instead.set(id, other);
      return moved.count;
    },
    discard: async () => {
      connection.exec('DROP TABLE IF EXISTS temp.staged');
      connection.isStaging = false;
    },
  };
}

interface Staged {
  add(jobs: readonly NewJob[]): void;
  /** Groups of the jobs. */
  readonly groups: Map<string, NewJob>;
  /** Number of jobs by queue. */
  readonly queues: Map<string, number>;
  readonly isFlow: boolean;
  /** True if some of the jobs have a unique key. */
  readonly isUnique: boolean;
}

interface Moved {
  readonly count: number;
  readonly instead: ReadonlyMap<string, string>;
}

/** Number of rows in a statement, because each statement costs as much as a row. */
const PLAIN_AT_ONCE = 16;

export function createStaged(connection: Connection): Staged {
  connection.exec(`DROP TABLE IF EXISTS temp.staged; CREATE TEMP TABLE staged (${WITH_STDIN})`);
  const into = (columns: string, rows = 1): string =>
    `INSERT INTO temp.staged (${columns}) VALUES ${Array(rows)
      .fill(`(${placesFor(columns)})`)
      .join()}`;
  const plain = connection.sql(into(COLUMNS, PLAIN_AT_ONCE));
  const plainOne = connection.sql(into(COLUMNS));
  const whole = connection.sql(into(WITH_STDIN));
  const groups = new Map<string, NewJob>();
  const queues = new Map<string, number>();
  let [isFlow, isUnique] = [false, false];
  const addOne = (job: NewJob): void => {
    if (isPlain(job)) {
      plainOne.run(...newJobValues(job));
      return;
    }
    isFlow = true;
    isUnique ||= job.uniqueKey !== null;
    whole.run(...newJobValues(job), ...flowValues(job), ...uniqueValues(job), job.stdin ?? null);
    rememberGroup(groups, job);
  };
  return {
    groups,
    queues,
    get isUnique() {
      return isUnique;
    },
    get isFlow() {
      return isFlow;
    },
    add: (jobs) => {
      for (const job of jobs) countQueue(queues, job);
      for (let at = 0; at < jobs.length; at += PLAIN_AT_ONCE) {
        const some = jobs.slice(at, at + PLAIN_AT_ONCE);
        if (some.length === PLAIN_AT_ONCE && some.every(isPlain)) plain.run(...some.flatMap(newJobValues));
        else some.forEach(addOne);
      }
    },
  };
}

const MOVE = `
  INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  SELECT ${COLUMNS}, $environment, '${FIRST_STATE}', ${firstReady('$now')}, ${firstRunAt('$now', 'max')}, $now, $now
  FROM temp.staged ORDER BY rowid`;

const unlessBlocked = (blocked: string, free: string): string =>
  `CASE WHEN depends_on IS NULL THEN ${free} ELSE ${blocked} END`;
const MOVE_FLOW = `
  INSERT INTO jobs (${ALL_COLUMNS}, environment_id, state, ready, waits_at, gated, next_run_at, created_at, updated_at)
  SELECT ${ALL_COLUMNS}, $environment, ${unlessBlocked(`'${BLOCKED_STATE}'`, `'${FIRST_STATE}'`)},
    ${unlessBlocked('0', firstReadyAtGate('$now'))}, ${unlessBlocked('NULL', firstGateAt('$now'))}, ${IS_GATED},
    ${unlessBlocked('NULL', firstRunAt('$now', 'max'))}, $now, $now
  FROM temp.staged ORDER BY rowid`;
/**
 * The next turn makes jobs at gates ready where slots are free. `+` keeps the planner from other indexes, so that only
 * the new jobs are read.
 */
const LOOK_AT_GATES = `
  INSERT OR IGNORE INTO freed_gates
  SELECT DISTINCT +waits_at FROM jobs WHERE seq > ? AND +ready = ${READINESS.atGate}`;

export function moveOver(
  connection: Connection,
  { groups, queues, isFlow, isUnique }: Staged,
  environmentId: number | null,
  now: number,
): Moved {
  const instead = isUnique ? admitUnique(connection, now) : new Map<string, string>();
  keepGroups(connection, [...groups.values()], now);
  tallyEnqueued(connection, isUnique ? stagedByQueue(connection) : queues, now);
  const last = isFlow ? lastSeq(connection) : 0;
  const count = moveAll(connection, isFlow ? MOVE_FLOW : MOVE, environmentId, now);
  if (!isFlow) return { count, instead };
  tagNew(connection, last);
  keepStagedStdins(connection);
  linkNew(connection, last, now);
  connection.sql(LOOK_AT_GATES).run(last);
  return { count, instead };
}

/** Counts again, because unique jobs may have been skipped. */
const stagedByQueue = (connection: Connection): Map<string, number> =>
  new Map(
    connection
      .sql('SELECT queue, count(*) AS n FROM temp.staged GROUP BY queue')
      .all()
      .map((row) => [String(row.queue), Number(row.n)]),
  );

const lastSeq = (connection: Connection): number =>
  Number(connection.sql('SELECT max(seq) AS seq FROM jobs').get()?.seq ?? 0);

function moveAll(connection: Connection, move: string, environmentId: number | null, now: number): number {
  try {
    return Number(connection.sql(move).run({ $now: now, $environment: environmentId }).changes);
  } catch (error) {
    throw (isConstraint(error) && firstTaken(connection)) || error;
  }
}

function firstTaken(connection: Connection): QueueError | null {
  const row = connection
    .sql(`
      SELECT id, rowid AS position FROM temp.staged s
      WHERE EXISTS (SELECT 1 FROM jobs WHERE id = s.id)
      UNION ALL
      SELECT id, nth FROM (SELECT id, nth_value(rowid, 2) OVER (PARTITION BY id ORDER BY rowid) AS nth FROM temp.staged) WHERE nth IS NOT NULL
      ORDER BY position LIMIT 1`)
    .get();
  return row ? taken(String(row.id), Number(row.position)) : null;
}
