// queuectl service uninstall: stops a service, lets its running jobs finish, and removes it.

import { installedAs, uninstall } from '../../service/installation.ts';
import type { Command, Context, Result } from '../command.ts';
import { changesText } from '../render/service.ts';
import {
  expectRights,
  managerFor,
  SERVICE_OPTIONS,
  SERVICES_ARE_LOCAL,
  serviceNamed,
} from '../options/service-options.ts';

export const command: Command = {
  name: 'service uninstall',
  purpose: 'set up',
  localOnly: SERVICES_ARE_LOCAL,
  summary: 'stop a service, let its jobs finish, and remove it',
  usage: ['worker|server [--name NAME] [--system]'],
  options: SERVICE_OPTIONS,
  examples: [
    ['queuectl service uninstall worker', 'jobs that run finish first'],
    ['queuectl service uninstall worker --name mail', 'the one of that name'],
  ],
  notes: ['The queue stays as it is. To end jobs instead of waiting: queuectl worker stop --force'],
  run,
};

async function run(context: Context): Promise<Result> {
  const { role, name } = serviceNamed(context, command.name);
  const manager = await managerFor(context);
  const service = installedAs(manager, role, name);
  expectRights(context);
  context.terminal.progress('stopping; running jobs finish first');
  const changes = await uninstall(manager, service).finally(() => context.terminal.progress(''));
  return {
    data: { role, name, manager: manager.kind, changes },
    text: changesText(changes),
  };
}
