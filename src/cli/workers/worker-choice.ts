// Selects workers by IDs, by host, on all hosts, or on the current host.

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
  /** Workers on other hosts, which are not selected. */
  readonly others: readonly WorkerView[];
}

/** Without IDs and options, selects the workers of this host if several hosts share the queue. */
export async function chooseWorkers(context: Context<typeof CHOICE_OPTIONS>, command: Command): Promise<Choice> {
  const queue = await context.queue();
  const workers = await queue.workers();
  const { options } = context;
  const given = [...context.args, ...(context.exact ?? [])];
  const host = options.text('host');
  const ways = [given.length > 0, host !== undefined, options.has('all-hosts')];
  if (ways.filter(Boolean).length > 1) throw usage('worker IDs, --host and --all-hosts cannot be combined', command);
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

/** With --server, there is no current host: the workers must all be on the same one. */
function ofOneHost(workers: readonly WorkerView[], command: Command): readonly WorkerView[] {
  if (new Set(workers.map(({ host }) => host)).size < 2) return workers;
  const problem = `workers are running on several hosts (${hostsOf(workers)}); choose with --host or --all-hosts`;
  throw usage(problem, command);
}
