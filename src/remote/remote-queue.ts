// Implements AnyQueue with operations of the HTTP API.

import { QueueError } from '../errors/errors.ts';
import { filterText } from '../filter/filter-text.ts';
import type { Job } from '../job/job.ts';
import type { AnyQueue, JobLookup } from '../queue/interface.ts';
import { parseSetting, Settings, type SettingValue, settingKey } from '../settings/settings.ts';
import type { ListQuery, RecordedActivity } from '../store/store.ts';
import { attemptFrom, jobFrom, msOf } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { remoteChanges } from './remote-changes.ts';
import { remoteGroups, remoteQueues } from './remote-groups.ts';
import { remoteIntake } from './remote-intake.ts';
import { jobsOf, listOf } from './remote-jobs.ts';
import { RemoteOutput } from './remote-output.ts';
import { remoteReports } from './remote-reports.ts';
import { remoteSchedules } from './remote-schedules.ts';
import { remoteTransfers } from './remote-transfers.ts';
import { remoteWorkers } from './remote-workers.ts';

const ENTRIES_AT_ONCE = 1000;

export interface RemoteQueue extends AnyQueue {
  readonly local: null;
  readonly caller: RemoteCaller;
}

type RemoteContext = Pick<AnyQueue, 'place' | 'environment'> & {
  /** Default working directory of new jobs, if the server is on this machine; otherwise null. */
  readonly cwd: string | null;
};

export function remoteQueue(caller: RemoteCaller, { place, environment, cwd }: RemoteContext): RemoteQueue {
  const lookup = remoteLookup(caller);
  return {
    ...lookup,
    ...remoteChanges(caller, lookup.findAll),
    ...remoteWorkers(caller),
    ...{ local: null, spansHosts: true, caller, place, environment },
    groups: remoteGroups(caller),
    queues: remoteQueues(caller),
    activity: { list: (limit) => auditEntriesOf(caller, limit) },
    close: async () => {},
    leave: async () => {},
    now: () => Date.now(),
    intake: async (overrides = {}, inherit) => remoteIntake(caller, overrides, inherit, cwd),
    settings: async () => {
      const { settings } = await caller.call('listSettings', {});
      const from = (source: string): Record<string, SettingValue> =>
        Object.fromEntries(
          settings.filter((one) => one.source === source).map(({ key, value }) => [key, value as SettingValue]),
        );
      return new Settings(from('stored'), from('environment'));
    },
    setSetting: async (given, text) => {
      const [key, value] = [settingKey(given), parseSetting(given, text)];
      await caller.call('setSetting', { key }, { value });
      return { key, value };
    },
    unsetSetting: async (given) => {
      const key = settingKey(given);
      await caller.call('unsetSetting', { key });
      return key;
    },
    schedules: async () => remoteSchedules(caller),
    reports: async () => remoteReports(caller),
    transfers: async () => remoteTransfers(caller),
  };
}

function remoteLookup(caller: RemoteCaller): JobLookup {
  const find = async (id: string): Promise<Job> => jobFrom(await caller.call('getJob', { id }));
  const list = (query: ListQuery): Promise<Job[]> => listOf(caller, query);
  return {
    find,
    findCalled: find,
    list,
    findAll: async (ids) => {
      const found = new Map<string, Job>();
      for (const given of ids) {
        const job = await find(given);
        found.set(job.id, job);
      }
      return [...found.values()];
    },
    get: async (id) => {
      const job = await find(id).catch(ifNotFound);
      return job?.id === id ? job : null;
    },
    getAll: (ids, filter = {}) => jobsOf(caller, ids, filter),
    countOf: async (filter) => {
      const { sort: _, descending: __, limit: ___, ...asked } = filter as Partial<ListQuery>;
      const wish = { filter: filterText(asked, Date.now()) };
      const { count, is_exact } = await caller.call('countJobs', wish);
      return is_exact ? count : null;
    },
    history: async (id) => (await caller.call('listAttempts', { id })).attempts.map(attemptFrom),
    outputOf: ({ id }, attempt) => RemoteOutput.of(caller, id, attempt),
    overview: async () => {
      const { queues, nextRetryAt, nextRunAt } = await remoteReports(caller).status();
      return { queues, nextRetryAt, nextDueAt: nextRunAt };
    },
    namesInUse: async () => ({ names: [], keys: [] }), // the API has no such operation
    errorGroups: async (filter, limit) => {
      const { errors } = await caller.call('listErrors', { filter: filterText(filter, Date.now()), limit });
      return errors.map((error) => ({
        fingerprint: error.fingerprint,
        jobs: error.count,
        oldestAt: msOf(error.first_at),
        newestAt: msOf(error.last_at),
        exampleId: error.sample_id,
        exampleError: error.error,
      }));
    },
  };
}

async function auditEntriesOf(caller: RemoteCaller, limit: number): Promise<RecordedActivity[]> {
  const found: RecordedActivity[] = [];
  for (let after: number | null | undefined; after !== null && found.length < limit; ) {
    const wish = { limit: Math.min(limit - found.length, ENTRIES_AT_ONCE), after };
    const { activity, next } = await caller.call('listActivity', wish);
    found.push(...activity.map((entry) => ({ ...entry, at: Date.parse(entry.at) })));
    after = next;
  }
  return found;
}

function ifNotFound(error: unknown): null {
  if (error instanceof QueueError && error.code === 'job_not_found') return null;
  throw error;
}
