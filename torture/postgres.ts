// The arena of a queue on PostgreSQL: every worker has its own host and its own connection to the server. A host that
// dies takes its jobs with it, because no other host could stop them.

import type { ChildProcess } from 'node:child_process';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Queue } from '../src/queue/queue.ts';
import { Detour } from '../test/support/detour.ts';
import { type Halt, type Server, startServer } from '../test/support/server.ts';
import { Arena, type Fault, type Post, SETTINGS, WORK } from './arena.ts';
import type { Chance } from './chance.ts';
import type { Note } from './diary.ts';
import { workerFaults } from './faults.ts';

/** Faults that only show if nothing else stops the affected worker or all that could take over from it. */
const LASTING = new Set(['swallow packets', 'hold back packets', 'reject connections']);

/** Maximum lifetime of a job's background processes. */
const LEFTOVERS_END_WITHIN_MS = 2000;

interface HostPost extends Post {
  readonly host: string;
  readonly way: Detour;
}

export class PostgresArena extends Arena<HostPost> {
  readonly db: string;
  /** Includes occasional jobs that outlast a lease. */
  readonly work = [...WORK, ...WORK, 'sleep 9'];
  readonly settings = { ...SETTINGS, lease_duration: '4', heartbeat_interval: '0.5' };
  readonly longestFreezeMs = 8000;
  readonly faults: Readonly<Record<string, Fault>>;
  readonly menu: readonly string[];
  /** Also used as the application name of connections. */
  private readonly schema = basename(this.folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');
  private readonly address: string;
  private readonly server: Server | null;
  /** Killed hosts, which may leave anything behind. */
  private readonly killed = new Set<string>();
  private posts = 0;

  /** `server` is the one at this address if this run may restart it. */
  constructor(address: string, server: Server | null) {
    super();
    this.address = address;
    this.server = server;
    const db = new URL(address);
    db.searchParams.set('schema', this.schema);
    db.searchParams.set('application_name', this.schema);
    this.db = db.href;
    this.faults = {
      ...workerFaults(this),
      'swallow packets': (chance, note) => onSomeWay(this, chance, note, 'drop', chance.between(500, 10_000)),
      'hold back packets': (chance, note) => onSomeWay(this, chance, note, 'stall', chance.between(500, 10_000)),
      'reject connections': (chance, note) => onSomeWay(this, chance, note, 'reject', chance.between(500, 10_000)),
      'cut all connections': async () => {
        for (const way of this.ways) way.cut();
      },
      'end all sessions': () => this.endSessions(),
      'lock tables': (chance, note) => this.lockTables(chance.between(50, 1500), note),
      'lock tables beyond a lease': (chance, note) => this.lockTables(chance.between(4000, 8000), note),
      'lock rows': (chance, note) => this.lockRows(chance, note),
      ...(server ? serverFaults(server) : {}),
    };
    this.menu = Object.keys(this.faults).flatMap((name) => Array(LASTING.has(name) ? 4 : 1).fill(name));
  }

  static async withServer(): Promise<PostgresArena> {
    const server = await startServer();
    return new PostgresArena(server.url, server);
  }

  get mark(): Readonly<Record<string, string>> {
    return { QUEUECTL_ARENA: this.folder };
  }

  override nameOf(worker: ChildProcess | undefined): string {
    const host = worker && this.postOf(worker)?.host;
    return host ? `${super.nameOf(worker)} on ${host}` : super.nameOf(worker);
  }

  private get ways(): Detour[] {
    return this.workers.flatMap((worker) => this.postOf(worker)?.way ?? []);
  }

  /** Simulates a power failure of its host. */
  async kill(worker: ChildProcess): Promise<void> {
    const post = this.postOf(worker);
    if (!post) return;
    this.killed.add(post.host);
    worker.kill('SIGKILL');
    await this.sweep(post.host);
  }

  /** Dead hosts are only noticed by live workers, so these must stay until then. All workers must have registered. */
  async isAtRest(queue: Queue): Promise<boolean> {
    const registered = (await queue.store.workers()).map(({ pid }) => pid).sort();
    const there = this.workers.map(({ pid }) => pid ?? 0).sort();
    return registered.length === there.length && registered.every((pid, i) => pid === there[i]);
  }

  protected async post(): Promise<HostPost> {
    const host = `${this.schema}-${++this.posts}`;
    const way = await Detour.to(this.db);
    const environment = { QUEUECTL_HOST: host, QUEUECTL_HOME: join(this.folder, host) };
    return { db: way.url, offsetFile: '', machine: '', environment, host, way };
  }

  /** Background processes of a job may outlive its worker; those of a crashed worker may not. */
  protected override vacate({ host, way }: HostPost, inOrder: boolean): void {
    void way.close();
    if (inOrder || this.killed.has(host)) return;
    setTimeout(() => {
      const left = this.survivors({ ...this.mark, QUEUECTL_HOST: host });
      if (left.length > 0)
        this.problems.push({
          what: `the worker on ${host} fell over and left ${left.length} processes`,
          name: host,
          at: Date.now(),
        });
    }, LEFTOVERS_END_WITHIN_MS).unref();
  }

  override get whereabouts(): string {
    return `${this.folder}, ${this.server?.folder ?? `schema ${this.schema}`}`;
  }

  protected async release(keep: boolean): Promise<void> {
    for (const way of this.ways) await way.close();
    if (keep) await this.server?.halt();
    else if (this.server) await this.server.stop();
    else await this.ask((client) => client.query(`DROP SCHEMA IF EXISTS ${this.schema} CASCADE`));
  }

  private async sweep(host: string): Promise<void> {
    for (;;) {
      const left = this.survivors({ ...this.mark, QUEUECTL_HOST: host });
      if (left.length === 0) return;
      for (const pid of left) end(pid);
      await sleep(5);
    }
  }

  private async endSessions(): Promise<void> {
    const text = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1';
    await this.ask((client) => client.query(text, [this.schema]));
  }

  private async lockTables(ms: number, note: Note): Promise<void> {
    await this.ask(async (client) => {
      await client.query(`SET lock_timeout = 1000; BEGIN`);
      await client.query(`LOCK TABLE ${this.schema}.jobs, ${this.schema}.workers IN EXCLUSIVE MODE`);
      note(`locked for ${Math.round(ms)} ms`);
      await sleep(ms);
      await client.query('COMMIT');
    });
  }

  /** Another client locks waiting jobs, as an enqueue of their dependents does, and may roll back. */
  private async lockRows(chance: Chance, note: Note): Promise<void> {
    const [rows, ms] = [chance.integer(1, 30), chance.between(50, 4000)];
    const states = chance.happens(0.7) ? "'pending', 'blocked', 'failed'" : "'processing'";
    await this.ask(async (client) => {
      await client.query(`SET lock_timeout = 1000; BEGIN`);
      await client.query(`SELECT 1 FROM ${this.schema}.jobs WHERE state IN (${states})
        ORDER BY key IS NULL, random() LIMIT ${rows} FOR UPDATE SKIP LOCKED`);
      note(`${rows} rows of ${states} for ${Math.round(ms)} ms`);
      await sleep(ms);
      await client.query(chance.happens(0.5) ? 'COMMIT' : 'ROLLBACK');
    });
  }

  private schemaOfSide(number: number): string {
    return `${this.schema}_side_${number}`;
  }

  sideQueue(number: number): string {
    const url = new URL(this.db);
    url.searchParams.set('schema', this.schemaOfSide(number));
    return url.href;
  }

  /** If the server is unreachable, the queue is removed with the server. */
  async removeSideQueue(number: number): Promise<void> {
    await this.ask((client) => client.query(`DROP SCHEMA IF EXISTS ${this.schemaOfSide(number)} CASCADE`));
  }

  /** Connects as an administrator, who may be rejected like other clients. */
  private async ask(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: this.address });
    client.on('error', () => {});
    try {
      await client.connect();
      await work(client);
    } catch (error) {
      // An unreachable or busy server is part of the torture; an invalid statement is not.
      if (String((error as pg.DatabaseError).code).startsWith('42')) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function onSomeWay(
  arena: PostgresArena,
  chance: Chance,
  note: Note,
  manner: 'drop' | 'stall' | 'reject',
  ms: number,
): Promise<void> {
  const worker = chance.pick(arena.workers);
  const way = worker && arena.postOf(worker)?.way;
  note(`${arena.nameOf(worker)} for ${Math.round(ms)} ms`);
  await way?.[manner]();
  await sleep(ms);
  await way?.pass();
}

/** Serialized: callers wait until the server is up again. */
function serverFaults(server: Server): Record<string, Fault> {
  let last: Promise<void> = Promise.resolve();
  const restart = async (how: Halt, ms: number, note: Note): Promise<void> => {
    note(`away for ${Math.round(ms)} ms`);
    await server.halt(how);
    await sleep(ms);
    await server.resume();
  };
  const fault =
    (how: Halt): Fault =>
    (chance, note) => {
      const ms = chance.between(0, 2000);
      last = last.then(() => restart(how, ms, note));
      return last;
    };
  return { 'restart server': fault('shutdown'), 'crash server': fault('crash') };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited by itself.
  }
}
