// Which workers a command is about: some ids, a host, every host, or those of the host it is given on.

import { ownIdentity } from '../../process/tree/identity.ts';
import type { WorkerView } from '../../queue/queue.ts';
import { hostsOf, workersById, workersOn } from '../../worker/control/choose.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { usage } from '../options/options.ts';

export const CHOICE_OPTIONS = {
  host: { kind: 'text', value: 'NAME', help: 'stop only workers on this host (default: the current host)' },
  'all-hosts': { kind: 'flag', help: 'stop workers on every host' },
} satisfies OptionSpecs;

export interface Choice {
  readonly chosen: readonly WorkerView[];
  /** Left alone, because they run on other hosts. */
  readonly others: readonly WorkerView[];
}

/** Those that the ids or the flags name; without any, those of this host where several hosts share the queue. */
export async function chooseWorkers(
  context: Context<typeof CHOICE_OPTIONS>,
  command: Command,
): Promise<Choice> {
  const queue = await context.queue();
  const workers = await queue.workers();
  const { options } = context;
  const given = [...context.args, ...(context.exact ?? [])];
  const host = options.text('host');
  const ways = [given.length > 0, host !== undefined, options.has('all-hosts')];
  if (ways.filter(Boolean).length > 1)
    throw usage('worker IDs, --host and --all-hosts cannot be combined', command);
  if (given.length > 0) return { chosen: workersById(workers, given), others: [] };
  if (host !== undefined) return { chosen: workersOn(workers, host), others: [] };
  if (options.has('all-hosts') || !queue.spansHosts) return { chosen: workers, others: [] };
  if (queue.local === null) return { chosen: ofOneHost(workers, command), others: [] };
  const own = ownIdentity(queue.environment).host;
  return {
    chosen: workers.filter((worker) => worker.host === own),
    others: workers.filter((worker) => worker.host !== own && worker.state !== 'lost'),
  };
}

/** Through a server the user is on no host of workers: where they are all on one, that one is meant. */
function ofOneHost(workers: readonly WorkerView[], command: Command): readonly WorkerView[] {
  if (new Set(workers.map(({ host }) => host)).size < 2) return workers;
  const problem = `workers are running on several hosts (${hostsOf(workers)}); choose with --host or --all-hosts`;
  throw usage(problem, command);
}
