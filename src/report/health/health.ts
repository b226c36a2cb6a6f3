// Checks of the installation, each with a verdict, a sentence and advice. They also work if the queue cannot be opened,
// because users run them especially then.

import { QueueError } from '../../errors/errors.ts';
import type { Place } from '../../store/location.ts';
import type { Build } from '../../system/build.ts';
import type { Queue } from '../../queue/queue.ts';
import { checkCommands, checkDisk, checkInstallation, checkWal } from './checks/machine.ts';
import { checkClaims } from './checks/claims.ts';
import { checkIdentity, checkSandbox } from './checks/confinement.ts';
import { checkFlow } from './checks/flow.ts';
import { checkLimits, limitsOf } from './checks/resource-limits.ts';
import { checkFiles, checkLogs } from './checks/place.ts';
import { checkQueues, checkRunning, checkStore, checkVersions, checkWorkers } from './checks/queue.ts';
import { checkSecretKey } from './checks/secrets.ts';
import { type Check, fail } from './checks/verdict.ts';

export interface Health {
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** Why the queue could not be opened; null if it was. */
  readonly error: QueueError | null;
}

export async function examine(place: Place, build: Build, open: () => Promise<Queue>): Promise<Health> {
  const opened = await open().catch(asQueueError);
  const checks = [
    checkInstallation(build),
    checkCommands(),
    opened instanceof QueueError ? limitsOf() : await checkLimits(opened).catch(() => limitsOf()),
    await checkFiles(place),
    ...(opened instanceof QueueError ? [unopened(opened)] : [await checkStore(opened)]),
    await checkWal(place),
    await checkDisk(place),
    await checkLogs(place),
    ...(opened instanceof QueueError ? [] : await checksOfQueue(opened)),
  ];
  return {
    ok: checks.every(({ status }) => status !== 'fail'),
    checks,
    error: opened instanceof QueueError ? opened : null,
  };
}

/** A failed check, as with a damaged table, must not hide the results of the others. */
async function checksOfQueue(queue: Queue): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, check] of Object.entries({
    workers: checkWorkers,
    versions: (one: Queue) => checkVersions(one),
    running: checkRunning,
    queues: checkQueues,
    flow: checkFlow,
    claims: (one: Queue) => checkClaims(one),
    sandbox: checkSandbox,
    identity: checkIdentity,
    secrets: checkSecretKey,
  })) {
    checks.push(await check(queue).catch((error: Error) => fail(name, error.message)));
  }
  return checks;
}

/** An invalid setting in the environment prevents opening the queue, too. */
const unopened = (error: QueueError): Check =>
  fail(error.code === 'invalid_setting' ? 'settings' : 'store', error.message, error.hint);

function asQueueError(error: unknown): QueueError {
  if (error instanceof QueueError) return error;
  throw error;
}
