// Completes IDs and names from the queue. Never creates a queue, and returns no completions if an error occurs.

import { statSync } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';
import { type Command, type Job, type JobState, NON_FINAL_STATES } from '../../job/job.ts';
import { CANCELLABLE_STATES, CLAIMABLE_STATES, REMOVABLE_STATES, RETRYABLE_STATES } from '../../job/state-sets.ts';
import { WAITING_STATES } from '../../job/waiting-change.ts';
import { type Place, placeOf } from '../../store/location.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { Queue } from '../../queue/queue.ts';
import { endedIn, sizeOf } from '../../report/group.ts';
import { callOn } from '../call.ts';
import { commandLine } from '../render/kit/command-line.ts';
import { cut } from '../render/kit/text.ts';

export interface Candidate {
  readonly word: string;
  readonly help?: string;
}

/** Only the newest jobs are offered. */
const MOST_JOBS = 200;
const MOST_WORDS = 200;
const WIDEST_COMMAND = 50;
const GROUP = 'group:';
/** How long to wait for a locked database: the shell is blocked meanwhile. */
const PATIENCE_MS = 200;

/** The states of the jobs that a command accepts; other commands accept any. */
const TAKES: Readonly<Record<string, readonly JobState[]>> = {
  retry: RETRYABLE_STATES,
  cancel: CANCELLABLE_STATES,
  delete: REMOVABLE_STATES,
  hold: WAITING_STATES,
  release: WAITING_STATES,
  'run-now': CLAIMABLE_STATES,
  edit: WAITING_STATES,
  move: WAITING_STATES,
  wait: NON_FINAL_STATES,
  'dlq show': ['dead'],
  'dlq retry': ['dead'],
  'dlq purge': ['dead'],
};

/** Time limit for all requests to a server. */
const SERVER_WITHIN_MS = 1000;

/** The queue that a command line uses. */
export interface Whereabouts {
  readonly db: string | undefined;
  /** Null without a server. */
  readonly server: string | null;
}

type Look = (queue: AnyQueue) => Promise<Candidate[]>;

const word = (word: string): Candidate => ({ word });
const withRole = ({ name, role }: { name: string; role: string }): Candidate => ({ word: name, help: role });
const withCommand = ({ name, command }: { name: string; command: Command }): Candidate => ({
  word: name,
  help: cut(commandLine(command), WIDEST_COMMAND),
});

/** The words of each kind, except for jobs. */
const LISTS = {
  user: async (queue) => (await callOn(queue, 'listUsers', {})).users.map(withRole),
  token: async (queue) => (await callOn(queue, 'listTokens', {})).tokens.map(withRole),
  recipe: async (queue) => (await callOn(queue, 'listRecipes', {})).recipes.map(withCommand),
  secret: async (queue) => (await callOn(queue, 'listSecrets', {})).secrets.map(({ name }) => word(name)),
  worker: async (queue) =>
    (await queue.workers()).map(({ id, state, pid }) => ({ word: id, help: `${state}, pid ${pid}` })),
  host: async (queue) => [...new Set((await queue.workers()).map(({ host }) => host))].map(word),
  schedule: async (queue) =>
    (await (await queue.schedules()).all()).map(({ name, job: { command } }) => withCommand({ name, command })),
  group: async (queue) =>
    (await queue.groups.all(MOST_WORDS)).map(({ name, counts }) => ({ word: name, help: jobsIn(counts) })),
  name: async (queue) => (await queue.namesInUse(MOST_WORDS)).names.map(word),
  key: async (queue) => (await queue.namesInUse(MOST_WORDS)).keys.map(word),
  queue: async (queue) => (await queue.overview()).queues.map(({ queue: name }) => word(name)),
} satisfies Record<string, Look>;

export type Listed = keyof typeof LISTS;

export class Values {
  private readonly where: Whereabouts;
  private readonly environment: NodeJS.ProcessEnv;
  private there: Promise<AnyQueue> | null = null;

  constructor(where: Whereabouts, environment: NodeJS.ProcessEnv) {
    this.where = where;
    this.environment = environment;
  }

  jobs(prefix: string, command: string): Promise<Candidate[]> {
    const states = TAKES[command];
    return this.look(async (queue) => {
      const newest = await queue.list({ states, sort: 'created', descending: true, limit: MOST_JOBS });
      const fitting = newest.filter(({ id }) => id.startsWith(prefix));
      const jobs = fitting.length > 0 || prefix === '' ? fitting : await olderJob(queue, prefix);
      return jobs.map(jobCandidate);
    });
  }

  list(what: Listed): Promise<Candidate[]> {
    return this.look(LISTS[what]);
  }

  /** Groups in commands that also accept jobs: 'group:photos'. */
  private async namedGroups(): Promise<Candidate[]> {
    return (await this.list('group')).map(({ word, ...rest }) => ({ word: `${GROUP}${word}`, ...rest }));
  }

  async jobsAndGroups(prefix: string, command: string): Promise<Candidate[]> {
    const jobs = prefix.startsWith(GROUP) ? [] : await this.jobs(prefix, command);
    return [...jobs, ...(await this.namedGroups())];
  }

  /** Possible dependencies of a job: names, groups and IDs. */
  async parents(prefix: string): Promise<Candidate[]> {
    const groups = await this.namedGroups();
    if (prefix.startsWith(GROUP)) return groups;
    const names = (await this.list('name')).map(({ word }) => ({ word, help: 'newest job of this name' }));
    return [...names, ...groups, ...(await this.jobs(prefix, 'wait'))];
  }

  private async look(work: Look): Promise<Candidate[]> {
    const {
      where: { db, server },
      environment,
    } = this;
    try {
      if (server !== null) return await work(await this.remote(server));
      if (!isThere(placeOf(db, environment))) return [];
      const queue = await Queue.open({ db, environment, patienceMs: PATIENCE_MS, create: false });
      return await work(queue).finally(() => queue.close());
    } catch {
      return [];
    }
  }

  private remote(address: string): Promise<AnyQueue> {
    this.there ??= import('../../remote/open-remote.ts').then(({ openRemote }) =>
      openRemote({
        address,
        environment: this.environment,
        cwd: null,
        notice: () => {},
        withinMs: SERVER_WITHIN_MS,
      }),
    );
    return this.there;
  }
}

/** Assumes that a database server is reachable. */
const isThere = ({ file }: Place): boolean =>
  file === null || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Finds an older job by a unique prefix of its ID. */
async function olderJob(queue: AnyQueue, prefix: string): Promise<Job[]> {
  try {
    return [await queue.find(prefix)];
  } catch (error) {
    if (error instanceof QueueError) return [];
    throw error;
  }
}

const jobsIn = (counts: Readonly<Record<JobState, number>>): string =>
  `${endedIn(counts)} of ${sizeOf(counts)} jobs finished`;

const jobCandidate = ({ id, state, command }: Job): Candidate => ({
  word: id,
  help: `${state}: ${cut(commandLine(command), WIDEST_COMMAND)}`,
});
