// Runs a command in bubblewrap with a view of the file system from its profile. The queue is never writable there,
// unless the profile names it.

import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { keptVariables } from '../../job/environment/kept-variables.ts';
import { directoriesIn, isAllowedDirectory } from '../../job/isolation/sandbox-directory.ts';
import {
  NO_SANDBOX,
  type Profiles,
  ProfileProblem,
  type SandboxProfile,
  sandboxProfiles,
} from '../../job/isolation/sandbox-profile.ts';
import type { Settings } from '../../settings/settings.ts';
import { accountNamed, ownHome } from '../account.ts';
import { bubblewrapCommand, type NoSandbox, whyNoSandbox } from './bubblewrap.ts';
import type { ConfinedStart, QueuePlace, Step } from '../isolate.ts';
import { findProgram } from '../programs.ts';
import { Rejection } from '../rejection.ts';
import { openStatus } from './sandbox-status.ts';
import { isWithin, viewOf } from './sandbox-view.ts';

export const inSandbox: Step = async (start, { sandbox: name = NO_SANDBOX, user, limits }, context) => {
  if (name === NO_SANDBOX) return { start };
  const { settings, logPath, place } = context;
  const profile = profileNamed(name, settings);
  const program = await workingBubblewrap();
  const cwd = realFolder(start.cwd);
  if (context.isSandboxRequired) expectAllowed(cwd, settings);
  expectQueueOutside(profile, cwd, place);
  const home = user === undefined ? ownHome() : accountNamed(user).home;
  const needs = [...start.needs, ...exchangeOf(start)];
  const otherHome = user === undefined ? homedir() : home; // another user cannot read the worker's home
  const view = viewOf({ profile, cwd, home, otherHome, needs, kept: filesOf(place) });
  const inside = cwd ?? (profile.tmp === 'private' ? '/tmp' : '/');
  const { network } = profile;
  const status = openStatus(logPath);
  return {
    start: {
      ...start,
      needs,
      cwd: null,
      status: status.fd,
      command: bubblewrapCommand({
        ...{ program, view, network, cwd: inside, command: start.command },
        memoryBytes: limits?.memoryBytes,
      }),
      inherited: keptVariables(start.inherited, profile.env),
      own: { HOME: home, ...start.own, PWD: inside },
    },
    after: (exit) => status.judge(exit, start.command[0] ?? ''),
  };
};

function profileNamed(name: string, settings: Settings): SandboxProfile {
  const profiles = readProfiles(settings);
  if (Object.hasOwn(profiles, name)) return profiles[name] as SandboxProfile;
  throw new Rejection(`sandbox profile '${name}' not found; list the profiles with queuectl sandbox list`);
}

/** The setting may be invalid after a manual edit. */
function readProfiles(settings: Settings): Profiles {
  try {
    return sandboxProfiles(settings.value('sandbox_profiles') as string | null);
  } catch (error) {
    if (error instanceof ProfileProblem) throw new Rejection(error.message);
    throw error;
  }
}

/** Programs that passed the test; afterwards only their existence is checked. */
const known = new Set<string>();
let asked: Promise<NoSandbox | null> | null = null;

async function workingBubblewrap(): Promise<string> {
  const program = findProgram('bwrap');
  if (program !== null && known.has(program)) return program;
  asked ??= whyNoSandbox().finally(() => {
    asked = null;
  });
  const why = await asked;
  if (why !== null) throw new Rejection(`the job requires a sandbox, but ${why.problem}; ${why.cure}`);
  if (program === null) return workingBubblewrap(); // installed meanwhile
  known.add(program);
  return program;
}

function realFolder(cwd: string | null): string | null {
  if (cwd === null) return null;
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new Rejection(`the working directory '${cwd}' no longer exists`);
  return realpathSync(cwd);
}

/** Checked again, because the directory may have been replaced by a symbolic link since the job was enqueued. */
function expectAllowed(cwd: string | null, settings: Settings): void {
  const directories = directoriesIn(settings.value('sandbox_directories'));
  if (cwd === null || isAllowedDirectory(cwd, { directories, real })) return;
  throw new Rejection(
    `the sandbox is required, but the working directory '${cwd}' is not in the setting sandbox_directories`,
  );
}

/**
 * A user who can write to a directory can replace its contents. So the queue must not be inside a directory that a job
 * can write to, even if it is hidden.
 */
function expectQueueOutside({ writable }: SandboxProfile, cwd: string | null, place: QueuePlace): void {
  const queue = filesOf(place).map(real);
  const named = writable.filter((path) => path.startsWith('/')).map(real);
  if (named.some((path) => isWithin(path, real(place.folder)))) return; // explicitly allowed
  const folders = [...named, ...(cwd !== null && writable.includes('{cwd}') ? [cwd] : [])];
  const folder = folders.find((path) => queue.some((file) => isWithin(file, path) || isWithin(path, file)));
  if (folder === undefined) return;
  throw new Rejection(
    `the sandbox would make the queue's own directory '${folder}' writable; set another --cwd, or move the database`,
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Queue files to hide from sandboxes: other jobs, their output and environments. */
const filesOf = ({ file, logs, run, folder }: QueuePlace): string[] => [
  ...(file === null ? [] : [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]),
  ...[logs, run, `${folder}/logs`, `${folder}/run`],
];

/** Directory through which the job reports progress and results to its worker. */
const exchangeOf = ({ own }: ConfinedStart): string[] =>
  own.QUEUECTL_RESULT === undefined ? [] : [dirname(own.QUEUECTL_RESULT)];
