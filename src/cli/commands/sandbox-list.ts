// queuectl sandbox list: lists the built-in and custom sandbox profiles.

import { profilesOf } from '../../intake/isolation-check.ts';
import type { SandboxProfile } from '../../job/isolation/sandbox-profile.ts';
import type { Command, Context, Result } from '../command.ts';
import { type Column, table } from '../render/kit/table.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'sandbox list',
  purpose: 'set up',
  summary: 'list the sandbox profiles',
  usage: [''],
  examples: [
    ['queuectl sandbox list', 'show the paths, network access and environment of each profile'],
    ['queuectl sandbox list --json', 'print all profiles and paths as JSON'],
  ],
  notes: [
    "{cwd} is the job's working directory; {system} is the host's programs and configuration (/usr, /etc, …).",
  ],
  run,
};

const COLUMNS: readonly Column[] = [
  { title: 'name' },
  { title: 'network' },
  { title: 'writable', gives: true },
  { title: 'read-only', gives: true },
  { title: '/tmp' },
  { title: 'environment', gives: true },
];

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'sandbox list');
  const settings = await (await context.queue()).settings();
  const profiles = Object.entries(profilesOf(settings));
  return {
    data: profiles.map(([name, profile]) => ({ name, ...profile })),
    text: table(COLUMNS, profiles.map(row), context.terminal.width, context.terminal.style),
  };
}

const row = ([name, { network, writable, readonly, tmp, env }]: [string, SandboxProfile]): string[] => [
  name,
  network ? 'yes' : 'no',
  writable.join(' ') || 'nothing',
  readonly.join(' ') || 'nothing',
  tmp,
  env === 'all' ? 'all' : env.join(' '),
];
