import { profilesOf } from '../../intake/isolation-check.ts';
import type { SandboxProfile } from '../../job/isolation/sandbox-profile.ts';
import type { Command } from '../command.ts';
import { type ItemColumn, tableOf } from '../render/kit/table.ts';
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
  notes: ["{cwd} is the job's working directory; {system} is the host's programs and configuration (/usr, /etc, …)."],
  run: async (context) => {
    exactArguments(context, [], 'sandbox list');
    const settings = await (await context.queue()).settings();
    const profiles = Object.entries(profilesOf(settings));
    return {
      data: profiles.map(([name, profile]) => ({ name, ...profile })),
      text: tableOf(profiles, COLUMNS, context.terminal),
    };
  },
};

const COLUMNS: readonly ItemColumn<[string, SandboxProfile]>[] = [
  { title: 'name', cell: ([name]) => name },
  { title: 'network', cell: ([, { network }]) => (network ? 'yes' : 'no') },
  { title: 'writable', gives: true, cell: ([, { writable }]) => writable.join(' ') || 'nothing' },
  { title: 'read-only', gives: true, cell: ([, { readonly }]) => readonly.join(' ') || 'nothing' },
  { title: '/tmp', cell: ([, { tmp }]) => tmp },
  { title: 'environment', gives: true, cell: ([, { env }]) => (env === 'all' ? 'all' : env.join(' ')) },
];
