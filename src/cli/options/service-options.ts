// The arguments and options that all `queuectl service` commands share.

import { QueueError, usageError } from '../../errors/errors.ts';
import { managerHere, type ServiceManager } from '../../service/manager.ts';
import { isServiceName, ROLES, type Role } from '../../service/service.ts';
import type { Context, OptionSpecs } from '../command.ts';
import { exactArguments } from '../required.ts';

export const SERVICES_ARE_LOCAL = 'run the command on the host of the service, without --server and QUEUECTL_SERVER';

export const SERVICE_OPTIONS = {
  name: { kind: 'text', value: 'NAME', help: 'name of the service, to distinguish several services' },
  system: { kind: 'flag', help: 'use a system service instead of a user service (requires root)' },
} satisfies OptionSpecs;

type ServiceContext = Context<typeof SERVICE_OPTIONS>;

export interface NamedService {
  readonly role: Role;
  readonly name: string | null;
}

export function serviceNamed(context: ServiceContext, command: string): NamedService {
  const [word = ''] = exactArguments(context, ['worker|server'], command);
  const role = ROLES.find((known) => known === word);
  if (role === undefined)
    throw usageError(
      `unknown service '${word}': use worker or server`,
      `queuectl ${command} worker, or queuectl ${command} server`,
    );
  const name = context.options.text('name') ?? null;
  if (name !== null && !isServiceName(name))
    throw usageError(`invalid service name '${name}'`, 'use up to 64 letters, digits, _ and -');
  return { role, name };
}

export const managerFor = ({ environment, options }: ServiceContext): Promise<ServiceManager> =>
  managerHere({ environment, isSystem: options.has('system') });

/** Only root may change system services. Checked before anything is changed. */
export function expectRights({ options }: ServiceContext): void {
  if (!options.has('system') || process.getuid?.() === 0) return;
  throw new QueueError('check_failed', {
    problem: 'system services require root',
    hint: 'run sudo env "PATH=$PATH" queuectl service …, or remove --system for a user service',
  });
}
