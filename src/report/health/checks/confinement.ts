// Checks of job isolation: whether sandboxes work, and as which user jobs run.

import { NO_SANDBOX } from '../../../job/isolation/sandbox-profile.ts';
import type { Queue } from '../../../queue/queue.ts';
import type { Settings } from '../../../settings/settings.ts';
import { queueViews } from '../../queues.ts';
import { type Check, ok, warn } from './verdict.ts';

/** Missing sandboxes are a problem only if a setting requires them. */
export async function checkSandbox(queue: Queue): Promise<Check> {
  const { whyNoSandbox } = await import('../../../isolation/sandbox/bubblewrap.ts');
  const why = await whyNoSandbox();
  if (why === null) return ok('sandbox', 'sandboxes are available (bubblewrap works)');
  const required = await whereRequired(queue, await queue.settings());
  if (required === null) return ok('sandbox', `sandboxes are not available: ${why.problem}`, why.cure);
  return warn('sandbox', `jobs of ${required} cannot start: they require a sandbox, but ${why.problem}`, why.cure);
}

async function whereRequired(queue: Queue, settings: Settings): Promise<string | null> {
  if (isSandbox(settings.value('sandbox'))) return 'all queues';
  const found = (await queueViews(queue)).find(({ confinement }) => isSandbox(confinement.sandbox));
  return found ? `queue '${found.queue}'` : null;
}

const isSandbox = (name: unknown): boolean => typeof name === 'string' && name !== NO_SANDBOX;

const NAME_A_USER = 'queuectl worker start --user NAME, or queuectl config set run_as NAME';

/** With PostgreSQL, every user who may enqueue on the server chooses commands for a worker running as root. */
export async function checkIdentity(queue: Queue): Promise<Check> {
  if (process.getuid?.() !== 0) return ok('identity', "jobs run as the worker's user, who is not root");
  const settings = await queue.settings();
  const user = settings.value('run_as');
  if (user !== null) return ok('identity', `jobs run as user '${user}'`);
  if (settings.value('run_as_root') === 'rejected')
    return ok('identity', 'jobs without a user are rejected instead of running as root');
  const message = 'jobs without a user run as root';
  return queue.place.file === null
    ? warn('identity', `${message}, and every user who may enqueue on the server chooses the commands`, NAME_A_USER)
    : ok('identity', message, NAME_A_USER);
}
