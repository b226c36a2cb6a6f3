// Runs a job as another user. Only workers running as root can do this. They use setpriv, which needs no password,
// session or shell.

import { chmodSync, chownSync, fchownSync, lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutJobServer } from '../job/isolation/job-token.ts';
import { NO_SANDBOX } from '../job/isolation/sandbox-profile.ts';
import { foreignParent } from '../process/output/attempt-files.ts';
import { type Account, accountNamed, ownName } from './account.ts';
import type { ConfinedStart, Step, IsolationContext } from './isolate.ts';
import { findProgram } from './programs.ts';
import { Rejection } from './rejection.ts';

export const runAs: Step = (start, { user, sandbox = NO_SANDBOX }, context) => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) expectAllowed(user ?? 'root', context);
  if (user === undefined) return { start };
  const account = accountNamed(user);
  if (account.uid === process.getuid?.()) return { start };
  if (!isRoot)
    throw new Rejection(
      `only a worker running as root can run jobs as another user: this worker runs as '${ownName()}', the job as '${user}'`,
    );
  const setpriv = findProgram('setpriv');
  if (setpriv === null)
    throw new Rejection(`running a job as '${user}' requires the program 'setpriv'; install util-linux`);
  handOver(start, account);
  const { name, uid, gid, home, shell } = account;
  const becoming = ['--reuid', String(uid), '--regid', String(gid), '--init-groups', '--inh-caps=-all', '--'];
  return {
    start: {
      ...start,
      command: [setpriv, ...becoming, ...start.command],
      own: {
        ...{ HOME: home, USER: name, LOGNAME: name, SHELL: shell },
        ...(canOpen(account, context, sandbox) ? withoutJobServer(start.own) : start.own),
      },
    },
  };
};

/** The owner of the database file needs no job socket, unless the sandbox hides the file. */
const canOpen = ({ uid }: Account, { place }: IsolationContext, sandbox: string): boolean =>
  sandbox === NO_SANDBOX && place.file !== null && statSync(place.file).uid === uid;

/**
 * The owner of the database file controls its contents, including settings. So if that is not root, only the worker's
 * own flag can allow jobs to run as a user other than the owner.
 */
function expectAllowed(user: string, { settings, place, workerUser }: IsolationContext): void {
  if (user === workerUser) return;
  const { uid } = accountNamed(user);
  const owner = place.file === null ? 0 : statSync(place.file).uid;
  if (owner !== 0 && uid !== owner)
    throw new Rejection(
      `the database belongs to user ${owner}, so a worker running as root does not run its jobs as '${user}'; start the worker with --user NAME`,
    );
  if (uid === 0 && settings.value('run_as_root') === 'rejected')
    throw new Rejection(
      'jobs may not run as root here (setting run_as_root); set a user: --user, queue set --user or config set run_as',
    );
}

/** Hands open files to the job's user, who may reopen them through /dev, and also the files the job needs. */
function handOver({ input, outputs, needs, own }: ConfinedStart, { uid, gid }: Account): void {
  for (const fd of new Set([...outputs, ...(input === undefined ? [] : [input])])) fchownSync(fd, uid, gid);
  const folder = dirname(own.QUEUECTL_RESULT ?? '');
  openWayTo(folder);
  for (const path of new Set([folder, ...needs])) {
    for (const name of entriesOf(path)) lchownSync(join(path, name), uid, gid);
    chownSync(path, uid, gid);
  }
}

/** Returns an empty list for a file. */
const entriesOf = (path: string): string[] => (lstatSync(path).isDirectory() ? readdirSync(path) : []);

/** Lets all users pass through the parent directory, which only root can change. */
function openWayTo(folder: string): void {
  const parent = foreignParent(folder);
  if (parent === null) throw new Rejection("no directory for the job's result and progress");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(parent);
  if (uid !== 0) throw new Rejection(`'${parent}' does not belong to root`);
  if ((mode & 0o777) !== 0o711) chmodSync(parent, 0o711);
}
