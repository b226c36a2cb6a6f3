// Which service is meant: the words and options that all of `queuectl service` share.

import { QueueError } from '../../errors/errors.ts';
import { managerHere, type ServiceManager } from '../../service/manager.ts';
import { isServiceName, ROLES, type Role } from '../../service/service.ts';
import type { Context, OptionSpec } from '../command.ts';
import { exactArguments } from '../required.ts';

export const SERVICES_ARE_LOCAL =
  'the machine itself keeps its services: do it there, without --server and QUEUECTL_SERVER';

export const SERVICE_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  name: { kind: 'text', value: 'NAME', means: 'to tell several of a kind apart' },
  system: { kind: 'flag', means: 'of the machine, not of the user; needs root' },
};

export interface NamedService {
  readonly role: Role;
  readonly name: string | null;
}

export function serviceNamed(context: Context, command: string): NamedService {
  const [word = ''] = exactArguments(context, ['worker|server'], command);
  const role = ROLES.find((known) => known === word);
  if (role === undefined)
    throw new QueueError('usage', {
      problem: `a service is a worker or a server, not '${word}'`,
      hint: `queuectl ${command} worker, or queuectl ${command} server`,
    });
  const name = context.options.text('name') ?? null;
  if (name !== null && !isServiceName(name))
    throw new QueueError('usage', {
      problem: `'${name}' cannot be the name of a service`,
      hint: 'letters, digits, _ and -, at most 64',
    });
  return { role, name };
}

export const managerFor = ({ environment, options }: Context): Promise<ServiceManager> =>
  managerHere({ environment, isSystem: options.has('system') });

/** Only root changes what belongs to the machine; checked before anything is half done. */
export function expectRights({ options }: Context): void {
  if (!options.has('system') || process.getuid?.() === 0) return;
  throw new QueueError('check_failed', {
    problem: 'system services belong to root, and you are not root',
    hint: 'sudo env "PATH=$PATH" queuectl service …; or leave out --system for a service of your own',
  });
}
