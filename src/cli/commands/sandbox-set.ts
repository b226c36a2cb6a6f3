// queuectl sandbox set: creates or replaces a custom sandbox. Values that are not given are as in `strict`.

import { ownProfilesOf } from '../../intake/isolation-check.ts';
import { sandboxProfiles } from '../../job/isolation/sandbox-profile.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  writable: {
    kind: 'text',
    value: 'PATH',
    many: true,
    help: 'make this path writable (repeatable; default: {cwd})',
  },
  readonly: {
    kind: 'text',
    value: 'PATH',
    many: true,
    help: 'make this path readable (repeatable; default: {system})',
  },
  hidden: { kind: 'text', value: 'PATH', many: true, help: 'hide this path from the job (repeatable)' },
  network: { kind: 'flag', help: 'allow network access' },
  tmp: {
    kind: 'text',
    value: 'WHICH',
    help: "private (default): separate /tmp for the job; shared: the host's /tmp",
    choices: ['private', 'shared'],
  },
  env: {
    kind: 'text',
    short: 'e',
    value: 'NAME',
    many: true,
    help: 'inherit this variable, a prefix such as LC_*, or all (repeatable)',
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'sandbox set',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'create or replace a custom sandbox',
  usage: ['NAME [--writable PATH]... [--network] ...'],
  options: OPTIONS,
  examples: [
    ['queuectl sandbox set build --network', 'allow network access; other values are as in strict'],
    ["queuectl sandbox set build --writable '{cwd}' --writable /srv", 'make two directories writable'],
    ['queuectl queue set ci --sandbox build', 'require the sandbox for all jobs of a queue'],
  ],
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'sandbox set');
    const queue = await context.queue();
    const before = ownProfilesOf(await queue.settings());
    const { value } = await queue.setSetting('sandbox_profiles', JSON.stringify({ ...before, [name]: said(context) }));
    return {
      data: { name, ...sandboxProfiles(value as string)[name] },
      text: `sandbox ${name} saved; use it with: queuectl enqueue --sandbox ${name} ...`,
    };
  },
};

/** Returns the profile in the format of the setting, which checks it. */
function said({ options }: Context<typeof OPTIONS>): Record<string, unknown> {
  const lists = (['writable', 'readonly', 'hidden', 'env'] as const).map((name) => [name, options.all(name)] as const);
  const [tmp, env] = [options.text('tmp'), options.all('env')];
  return {
    ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    ...(env.includes('all') && { env: 'all' }),
    ...(options.has('network') && { network: true }),
    ...(tmp !== undefined && { tmp }),
  };
}
