// Who a job runs as. Only root can become somebody else, so only a worker of root can run jobs as other users; setpriv does
// it, which needs no password, no session and no shell.

import {
  chmodSync,
  chownSync,
  fchownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutJobServer } from '../job/isolation/job-token.ts';
import { NO_SANDBOX } from '../job/isolation/sandbox-profile.ts';
import { foreignParent } from '../process/output/attempt-files.ts';
import { type Account, accountNamed, ownName } from './account.ts';
import type { ConfinedStart, Step, Surroundings } from './isolate.ts';
import { findProgram } from './programs.ts';
import { Refusal } from './refusal.ts';

export const runAs: Step = (start, { user, sandbox = NO_SANDBOX }, surroundings) => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) expectAllowed(user ?? 'root', surroundings);
  if (user === undefined) return { start };
  const account = accountNamed(user);
  if (account.uid === process.getuid?.()) return { start };
  if (!isRoot)
    throw new Refusal(
      `only a worker running as root can run jobs as another user: this worker runs as '${ownName()}', the job as '${user}'`,
    );
  const setpriv = findProgram('setpriv');
  if (setpriv === null)
    throw new Refusal(`running a job as '${user}' requires the program 'setpriv'; install util-linux`);
  handOver(start, account);
  const { name, uid, gid, home, shell } = account;
  const becoming = ['--reuid', String(uid), '--regid', String(gid), '--init-groups', '--inh-caps=-all', '--'];
  return {
    start: {
      ...start,
      command: [setpriv, ...becoming, ...start.command],
      own: {
        ...{ HOME: home, USER: name, LOGNAME: name, SHELL: shell },
        ...(canOpen(account, surroundings, sandbox) ? withoutJobServer(start.own) : start.own),
      },
    },
  };
};

/** The owner of the database file needs no other way to the queue, unless it is hidden. */
const canOpen = ({ uid }: Account, { place }: Surroundings, sandbox: string): boolean =>
  sandbox === NO_SANDBOX && place.file !== null && statSync(place.file).uid === uid;

/**
 * What root may be told to do. The owner of the database file decides all that is in it, settings included: so there only
 * the worker's own flag can say more than that jobs run as the owner.
 */
function expectAllowed(user: string, { settings, place, workerUser }: Surroundings): void {
  if (user === workerUser) return;
  const { uid } = accountNamed(user);
  const owner = place.file === null ? 0 : statSync(place.file).uid;
  if (owner !== 0 && uid !== owner)
    throw new Refusal(
      `the database belongs to user ${owner}, so a worker running as root does not run its jobs as '${user}'; start the worker with --user NAME`,
    );
  if (uid === 0 && settings.value('run_as_root') === 'refused')
    throw new Refusal(
      'jobs may not run as root here (setting run_as_root); set a user: --user, queue set --user or config set run_as',
    );
}

/** What the job has open can be opened again by its name in /dev, and what it needs is its own. */
function handOver({ input, outputs, needs, own }: ConfinedStart, { uid, gid }: Account): void {
  for (const fd of new Set([...outputs, ...(input === undefined ? [] : [input])])) fchownSync(fd, uid, gid);
  const folder = dirname(own.QUEUECTL_RESULT ?? '');
  openWayTo(folder);
  for (const path of new Set([folder, ...needs])) {
    for (const name of entriesOf(path)) lchownSync(join(path, name), uid, gid);
    chownSync(path, uid, gid);
  }
}

/** None of a file. */
const entriesOf = (path: string): string[] => (lstatSync(path).isDirectory() ? readdirSync(path) : []);

/** Everybody may pass through the folder above, and nobody but root may change what is in it. */
function openWayTo(folder: string): void {
  const parent = foreignParent(folder);
  if (parent === null) throw new Refusal("no directory for the job's result and progress");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(parent);
  if (uid !== 0) throw new Refusal(`'${parent}' does not belong to root`);
  if ((mode & 0o777) !== 0o711) chmodSync(parent, 0o711);
}
