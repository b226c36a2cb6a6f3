// What a job sees of the machine: its command is run by bubblewrap, in a view made from its profile. The queue itself is never
// writable from there, unless the profile names it.

import { closeSync, ftruncateSync, realpathSync, statSync } from 'node:fs';
import { constants, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { NO_SANDBOX, type SandboxProfile, sandboxProfiles } from '../job/sandbox-profile.ts';
import { openInFolder, readAt } from '../process/files.ts';
import type { Exit } from '../process/launch.ts';
import { bubblewrapCommand, INSTALL, whyNoSandbox } from './bubblewrap.ts';
import { type ConfinedStart, type QueuePlace, Refusal, type Step } from './confine.ts';
import { keptVariables } from './environment.ts';
import { accountNamed } from './account.ts';
import { findProgram } from './programs.ts';
import { isWithin, viewOf } from './sandbox-view.ts';

export const inSandbox: Step = async (start, { sandbox: name = NO_SANDBOX, user }, { settings, logPath, place }) => {
  if (name === NO_SANDBOX) return { start };
  const profile = profileNamed(name, settings.value('sandbox_profiles'));
  const program = await workingBubblewrap();
  const cwd = folderOf(start.cwd);
  expectQueueApart(profile, cwd, place);
  const home = user === undefined ? userInfo().homedir : accountNamed(user).home;
  const needs = [...start.needs, ...exchangeOf(start)];
  const view = viewOf({ profile, cwd, home, needs, kept: keptOf(place) });
  const inside = cwd ?? (profile.tmp === 'private' ? '/tmp' : '/');
  const status = openInFolder(`${logPath}~sandbox`, 'w+');
  return {
    start: {
      ...start,
      needs,
      cwd: null,
      status,
      command: bubblewrapCommand({ program, view, network: profile.network, cwd: inside, command: start.command }),
      inherited: keptVariables(start.inherited, profile.env),
      own: { HOME: home, ...start.own, PWD: inside },
    },
    after: (exit) => ended(exit, status, `${logPath}~sandbox`),
  };
};
