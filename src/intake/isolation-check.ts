// Checks the isolation of new jobs: the sandbox must exist and must not contradict the queue's. Workers check again
// before the start, because settings change and rows can be written directly.

import { QueueError } from '../errors/errors.ts';
import type { NewJob } from '../job/job.ts';
import { directoriesIn, directoryProblem, isAllowedDirectory } from '../job/isolation/sandbox-directory.ts';
import {
  BUILT_IN_SANDBOXES,
  NO_SANDBOX,
  ProfileProblem,
  type Profiles,
  sandboxProfiles,
} from '../job/isolation/sandbox-profile.ts';
import { realFolder } from '../process/spawn/program-file.ts';
import type { Settings } from '../settings/settings.ts';
import { nearest } from '../text/nearest.ts';

/** Returns early for jobs without isolation. */
export function checkConfinement(
  jobs: readonly Pick<NewJob, 'queue' | 'cwd' | 'confinement'>[],
  settings: Settings,
): void {
  for (const { queue, cwd, confinement } of jobs) {
    if (confinement?.sandbox !== undefined) expectSandbox(confinement.sandbox, settings);
    const problem = confinement && settings.confinement.conflict(queue, confinement);
    if (problem !== null)
      throw new QueueError('invalid_job', { problem, hint: 'omit the field, or choose another queue' });
    if (mayRunIn(cwd, queue, settings)) continue;
    throw new QueueError('invalid_job', {
      problem: directoryProblem(String(cwd), queue),
      hint: PRIVATE_DIRECTORY,
    });
  }
}

export const PRIVATE_DIRECTORY =
  'omit the working directory to run in a private one, or ask an admin to add it: queuectl config set sandbox_directories';

/** Checks the working directory of a job; null means a private directory where a sandbox is required. */
export function mayRunIn(cwd: string | null, queue: string, settings: Settings): boolean {
  if (cwd === null || !settings.confinement.isSandboxRequired(queue)) return true;
  const real = (path: string): string => realFolder(path) ?? path;
  return isAllowedDirectory(cwd, { directories: directoriesIn(settings.value('sandbox_directories')), real });
}

export function expectSandbox(name: string, settings: Settings): void {
  const names = [...Object.keys(profilesOf(settings)), NO_SANDBOX];
  if (names.includes(name)) return;
  const near = nearest(name, names);
  const known = `known profiles: ${names.join(', ')}`;
  throw new QueueError('invalid_job', {
    problem: `sandbox profile '${name}' not found`,
    hint: near ? `did you mean '${near}'? ${known}` : known,
  });
}

/** Returns all profiles. Throws invalid_setting if the setting is unreadable. */
export function profilesOf(settings: Settings): Profiles {
  try {
    return sandboxProfiles(settings.value('sandbox_profiles') as string | null);
  } catch (error) {
    if (!(error instanceof ProfileProblem)) throw error;
    const hint = 'delete all custom sandboxes: queuectl config unset sandbox_profiles';
    throw new QueueError('invalid_setting', { problem: error.message, hint }, { cause: error });
  }
}

/** Returns only the profiles from the settings. */
export const ownProfilesOf = (settings: Settings): Profiles =>
  Object.fromEntries(Object.entries(profilesOf(settings)).filter(([name]) => !BUILT_IN_SANDBOXES.includes(name)));
