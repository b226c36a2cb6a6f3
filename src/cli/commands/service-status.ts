import { managerHere } from '../../service/manager.ts';
import { installedBy } from '../../service/installation.ts';
import { serviceToJson, type ServiceView } from '../../service/view.ts';
import type { Command } from '../command.ts';
import { lingerLine, serviceTable } from '../render/service.ts';
import { SERVICES_ARE_LOCAL } from '../options/service-options.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'service status',
  purpose: 'set up',
  localOnly: SERVICES_ARE_LOCAL,
  summary: 'list installed services with their state and queues',
  usage: [''],
  examples: [
    ['queuectl service status', 'list user and system services'],
    ['queuectl service status --json', 'print all services as JSON'],
  ],
  run: async (context) => {
    exactArguments(context, [], command.name);
    const { environment, terminal } = context;
    const views = (await Promise.all([false, true].map((isSystem) => viewsOf(environment, isSystem)))).flat();
    if (views.length === 0) terminal.hint('no service installed; install one: queuectl service install worker');
    if (views.some(({ linger }) => linger === false)) terminal.remark(lingerLine());
    return {
      data: views.map(serviceToJson),
      text: serviceTable(views, Date.now(), terminal),
    };
  },
};

async function viewsOf(environment: NodeJS.ProcessEnv, isSystem: boolean): Promise<ServiceView[]> {
  const manager = await managerHere({ environment, isSystem });
  const services = installedBy(manager);
  const linger = services.length === 0 ? null : await manager.linger();
  return Promise.all(
    services.map(async (service) => ({
      service,
      isSystem,
      linger,
      manager: manager.kind,
      processes: await manager.states(manager.unitsOf(service)),
    })),
  );
}
