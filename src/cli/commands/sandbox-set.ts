// queuectl sandbox set: a profile of your own, whole: what is not given is as in `strict`.

import { ownProfilesOf } from '../../intake/isolation-check.ts';
import { sandboxProfiles } from '../../job/isolation/sandbox-profile.ts';
import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'sandbox set',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'make a sandbox of your own, or replace it',
  usage: ['NAME [--writable PATH]... [--network] ...'],
  options: {
    writable: { kind: 'text', value: 'PATH', many: true, means: 'a job may write there (default: {cwd})' },
    readonly: { kind: 'text', value: 'PATH', many: true, means: 'it may look at this (default: {system})' },
    hidden: { kind: 'text', value: 'PATH', many: true, means: 'it may not, wherever that would be visible' },
    network: { kind: 'flag', means: 'it may use the network' },
    tmp: {
      kind: 'text',
      value: 'WHICH',
      means: 'a /tmp of its own (private, the default), or that of all (shared)',
      choices: ['private', 'shared'],
    },
    env: {
      kind: 'text',
      short: 'e',
      value: 'NAME',
      many: true,
      means: 'a variable that it inherits, LC_* for several, or all',
    },
  },
  examples: [
    ['queuectl sandbox set build --network', 'what is not said is as in strict'],
    ["queuectl sandbox set build --writable '{cwd}' --writable /srv", 'two folders to write to'],
    ['queuectl queue set ci --sandbox build', 'required of all jobs of a queue'],
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'sandbox set');
  const queue = await context.queue();
  const before = ownProfilesOf(await queue.settings());
  const { value } = await queue.setSetting(
    'sandbox_profiles',
    JSON.stringify({ ...before, [name]: said(context) }),
  );
  return {
    data: { name, ...sandboxProfiles(value as string)[name] },
    text: `sandbox ${name} set: queuectl enqueue --sandbox ${name} ...`,
  };
}

/** As the setting has it; the setting checks it. */
function said({ options }: Context): Record<string, unknown> {
  const lists = ['writable', 'readonly', 'hidden', 'env'].map((name) => [name, options.all(name)] as const);
  const [tmp, env] = [options.text('tmp'), options.all('env')];
  return {
    ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    ...(env.includes('all') && { env: 'all' }),
    ...(options.has('network') && { network: true }),
    ...(tmp !== undefined && { tmp }),
  };
}
