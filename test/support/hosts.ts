// A queue on PostgreSQL with workers on several hosts: processes that call themselves so, each host with its own way
// to the server. When the test ends the ways are open again, the workers are stopped, and what is left was leaked.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Attempt } from '../../src/job/job.ts';
import { Queue } from '../../src/queue/queue.ts';
import { type Result, TestQueue } from '../cli/support.ts';
import { processesWith } from './processes.ts';
import { Detour } from './detour.ts';
import { dismiss, Fleet, type ForegroundWorker, send } from './fleet.ts';
import { newFolder, removeFolder } from './folder.ts';
import { addressWith, ask, type Server, sharedServer } from './postgres.ts';
import { until } from './until.ts';

/** Short enough to wait for, long enough for a loaded machine. */
export const SHORT_LEASE = { lease_duration: 4, heartbeat_interval: 0.5, kill_grace: 0.5 };
/** No fault of these tests lasts as long. */
export const LONG_LEASE = { lease_duration: 120, heartbeat_interval: 0.5, kill_grace: 0.5 };

interface Ending {
  readonly name: string;
  after(work: () => void | Promise<void>): void;
}

let made = 0;

/** On the server that all tests share, or on one of the test's own, which is stopped in the end. */
export async function newHosts(
  t: Ending,
  settings: Readonly<Record<string, string | number>> = SHORT_LEASE,
  server?: Server,
): Promise<Hosts> {
  const address = server?.url ?? (await sharedServer());
  const schema = `hosts_${process.pid}_${made++}`;
  const folder = newFolder();
  const db = addressWith(address, { schema, application_name: schema });
  const queue = await Queue.open({ db, environment: { HOME: folder }, cwd: folder, patienceMs: 30_000 });
  const hosts = new Hosts(new TestQueue(folder), queue, address, schema);
  t.after(async () => {
    await hosts.openWays();
    try {
      await dismiss(folder);
    } finally {
      removeFolder(folder);
      await queue.close();
      await hosts.closeWays();
      await (server ? server.stop() : ask(address, `DROP SCHEMA ${schema} CASCADE`));
    }
  });
  await hosts.set(settings);
  return hosts;
}

export class Hosts extends Fleet {
  /** Where an administrator would log in. */
  readonly server: string;
  /** Also what the connections of this queue call themselves. */
  readonly schema: string;
  private readonly all: Host[] = [];

  constructor(cli: TestQueue, queue: Queue, server: string, schema: string) {
    super(cli, queue);
    this.server = server;
    this.schema = schema;
  }

  async host(name: string): Promise<Host> {
    const host = new Host(this, name, await Detour.to(this.queue.place.db));
    this.all.push(host);
    return host;
  }

  /** Without what a worker on a busy machine gave back before it had started anything: it is nobody's failure. */
  override async outcomes(id: string): Promise<(string | null)[]> {
    const started = (await this.history(id)).filter(({ outcome, pid }) => outcome !== 'released' || pid !== null);
    return started.map(({ outcome }) => outcome);
  }

  /** Ends the connections to this queue, those of the test included; answers how many there were. */
  async terminate(which = 'true'): Promise<number> {
    const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND ${which}`;
    return (await ask(this.server, text, [this.schema])).length;
  }

  /** What the jobs themselves wrote down, see `beating`. */
  runs(jobId: string): Run[] {
    const runs = new Map<string, Run>();
    for (const line of this.lines('beats')) {
      const [job, host = '', pid = '', at] = line.split(' ');
      if (job !== jobId) continue;
      const began = runs.get(pid)?.began ?? Number(at);
      runs.set(pid, { host, pid: Number(pid), began, last: Number(at) });
    }
    return [...runs.values()];
  }

  /** The run of the job on this host, once there is one. */
  untilRunOn(host: Host, jobId: string, deadlineMs?: number): Promise<Run> {
    const look = (): Run | undefined => this.runs(jobId).find((run) => run.host === host.name);
    return until(`${jobId} runs on ${host.name}`, look, deadlineMs) as Promise<Run>;
  }

  async attempt(jobId: string, run: number): Promise<Attempt> {
    const found = (await this.history(jobId)).find((one) => one.run === run);
    assert.ok(found, `run ${run} of ${jobId}`);
    return found;
  }

  /** Cut as well: what was swallowed on them would be waited for. */
  async openWays(): Promise<void> {
    for (const { way } of this.all) {
      await way.pass();
      way.cut();
    }
  }

  async closeWays(): Promise<void> {
    for (const { way } of this.all) await way.close();
  }
}

/** One stay of a job in this world, in ms since the epoch by the clock that all hosts of a test share. */
export interface Run {
  readonly host: string;
  readonly pid: number;
  readonly began: number;
  readonly last: number;
}

/** A command that writes down that it lives, until the file is there. */
export const beating = (until = 'end'): string =>
  `until [ -e ${until} ]; do echo "$QUEUECTL_JOB_ID $QUEUECTL_HOST $$ $(date +%s%3N)" >> beats; sleep 0.05; done`;

/** Each run was over before the next one began. */
export function expectNoOverlap(runs: readonly Run[]): void {
  for (const [i, run] of runs.entries()) {
    const next = runs[i + 1];
    if (next) assert.ok(run.last < next.began, `${run.host} ran it until ${run.last}, ${next.host} from ${next.began}`);
  }
}

export class Host {
  readonly name: string;
  readonly way: Detour;
  private readonly hosts: Hosts;

  constructor(hosts: Hosts, name: string, way: Detour) {
    this.hosts = hosts;
    this.name = name;
    this.way = way;
  }

  get environment(): NodeJS.ProcessEnv {
    const home = path.join(this.hosts.cli.folder, `home of ${this.name}`);
    fs.mkdirSync(home, { recursive: true });
    return { QUEUECTL_HOST: this.name, QUEUECTL_HOME: home, QUEUECTL_DB: this.way.url };
  }

  worker(...args: string[]): Promise<ForegroundWorker> {
    return this.hosts.workerWith(this.environment, ...args);
  }

  /** A command on this host, to its end. */
  run(...args: string[]): Promise<Result> {
    return this.hosts.cli.run(args, { env: this.environment });
  }

  /** The power fails: nothing that ran here runs any more. */
  async die(): Promise<void> {
    const { QUEUECTL_HOME = '' } = this.environment;
    await until(`nothing is left on ${this.name}`, () => {
      const left = processesWith(`QUEUECTL_HOME=${QUEUECTL_HOME}\0`);
      for (const { pid } of left) send(pid, 'SIGKILL');
      return left.length === 0;
    });
  }
}
