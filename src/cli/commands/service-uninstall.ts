import { installedAs, uninstall } from '../../service/installation.ts';
import type { Command } from '../command.ts';
import { oneLine } from '../render/kit/text.ts';
import { changesText } from '../render/service.ts';
import {
  expectRights,
  managerFor,
  SERVICE_OPTIONS,
  SERVICES_ARE_LOCAL,
  serviceNamed,
} from '../options/service-options.ts';

export const command: Command<typeof SERVICE_OPTIONS> = {
  name: 'service uninstall',
  purpose: 'set up',
  localOnly: SERVICES_ARE_LOCAL,
  summary: 'stop a service after its running jobs finish, and uninstall it',
  usage: ['worker|server [--name NAME] [--system]'],
  options: SERVICE_OPTIONS,
  examples: [
    ['queuectl service uninstall worker', 'uninstall the worker service after its running jobs finish'],
    ['queuectl service uninstall worker --name mail', 'uninstall the service named mail'],
  ],
  notes: [
    'The queue is kept, and its location is printed. To stop jobs instead of waiting: queuectl worker stop --force',
  ],
  run: async (context) => {
    const { role, name } = serviceNamed(context, command.name);
    const manager = await managerFor(context);
    const service = installedAs(manager, role, name);
    expectRights(context);
    context.terminal.progress('stopping; waiting for running jobs to finish');
    const changes = await uninstall(manager, service).finally(() => context.terminal.progress(''));
    return {
      data: { role, name, manager: manager.kind, changes, database: service.place },
      text: `${changesText(changes)}\nkept     ${oneLine(service.place)}`,
    };
  },
};
