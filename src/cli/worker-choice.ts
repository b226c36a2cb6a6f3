// Which workers a command is about: some ids, a host, every host, or those of the host it is given on.

import { QueueError } from '../errors.ts';
import { ownIdentity } from '../process/identity.ts';
import type { WorkerView } from '../queue.ts';
import type { Command, Context } from './command.ts';
import { usage } from './options.ts';

export interface Choice {
  readonly chosen: readonly WorkerView[];
  /** Left alone, because they run on other hosts. */
  readonly others: readonly WorkerView[];
}

/** Those that the ids or the flags name; without any, those of this host where several hosts share the queue. */
export async function chooseWorkers(context: Context, command: Command): Promise<Choice> {
  const queue = await context.queue();
  const workers = await queue.workers();
  const { options } = context;
  const given = [...context.args, ...(context.exact ?? [])];
  const host = options.text('host');
  const ways = [given.length > 0, host !== undefined, options.has('all-hosts')];
  if (ways.filter(Boolean).length > 1)
    throw usage('workers are chosen by id, by --host or with --all-hosts, one at a time', command);
  if (given.length > 0) return { chosen: byId(workers, given), others: [] };
  if (host !== undefined) return { chosen: onHost(workers, host), others: [] };
  if (options.has('all-hosts') || !queue.spansHosts) return { chosen: workers, others: [] };
  const own = ownIdentity(queue.environment).host;
  return {
    chosen: workers.filter((worker) => worker.host === own),
    others: workers.filter((worker) => worker.host !== own && worker.state !== 'lost'),
  };
}

function onHost(workers: readonly WorkerView[], host: string): readonly WorkerView[] {
  const found = workers.filter((worker) => worker.host === host);
  if (found.length > 0) return found;
  const hint = workers.length > 0 ? `workers run on: ${hostsOf(workers)}` : 'no worker is running';
  throw new QueueError('host_not_found', { host, hint });
}

export const hostsOf = (workers: readonly WorkerView[]): string =>
  [...new Set(workers.map(({ host }) => host))].sort().join(', ');

function byId(workers: readonly WorkerView[], given: readonly string[]): readonly WorkerView[] {
  return given.map((prefix) => {
    const exact = workers.find(({ id }) => id === prefix);
    const found = exact ? [exact] : workers.filter(({ id }) => id.startsWith(prefix));
    if (found.length > 1) {
      throw new QueueError('ambiguous_id', {
        prefix,
        noun: 'worker',
        matches: found.map(({ id }) => id).join(', '),
      });
    }
    if (found[0] === undefined) throw new QueueError('worker_not_found', { id: prefix });
    return found[0];
  });
}
