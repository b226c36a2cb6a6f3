import { type FileChange, install, plannedChanges } from '../../service/installation.ts';
import type { ServiceManager } from '../../service/manager.ts';
import type { Service } from '../../service/service.ts';
import type { Command, Context, Result } from '../command.ts';
import { installedText, lingerLine } from '../render/service.ts';
import { expectRights, managerFor, SERVICES_ARE_LOCAL, serviceNamed } from '../options/service-options.ts';
import { crontabLine, INSTALL_OPTIONS, wantedService } from '../serving/service-wish.ts';

export const command: Command<typeof INSTALL_OPTIONS> = {
  name: 'service install',
  purpose: 'set up',
  localOnly: SERVICES_ARE_LOCAL,
  createsQueue: true,
  summary: 'install a worker or server as a systemd or launchd service',
  usage: [
    'worker [--count N] [--concurrency M] [--queue NAME] …',
    'server [--port N] [--workers N] …',
    'worker|server --system --user NAME …',
  ],
  options: INSTALL_OPTIONS,
  examples: [
    ['queuectl service install worker --concurrency 4', 'install a worker that runs four jobs at once'],
    [
      'queuectl service install worker --name mail --queue mail --count 2',
      'install a second service for the queue mail',
    ],
    ['queuectl service install server --port 7777', 'install a server with the dashboard and the HTTP API'],
    ['queuectl service install worker --dry-run', 'print the systemd unit'],
  ],
  notes: [
    'The service uses the same database as this command. Run it again to change the service: only changed files are written, and running jobs finish first.',
  ],
  run: async (context) => {
    const service = wantedService(context, serviceNamed(context, command.name));
    const manager = await managerFor(context);
    if (context.options.has('dry-run')) return preview(context, manager, service);
    expectRights(context);
    const otherwise = `see what would be installed with --dry-run; or add this line to crontab -e: ${crontabLine(service)}`;
    const { changes, units } = await install(manager, service, otherwise);
    const linger = await manager.linger();
    if (linger === false) context.terminal.remark(lingerLine());
    return {
      data: { role: service.role, name: service.name, manager: manager.kind, units, changes, linger },
      text: installedText(service, changes, units),
    };
  },
};

function preview({ terminal }: Context, manager: ServiceManager, service: Service): Result {
  const files = manager.files(service).filter(({ mode }) => mode !== 0o600);
  const changes = plannedChanges(manager, service);
  for (const { path, change } of changes) terminal.remark(`${wouldBe(change)}: ${path}`);
  const secret = Object.keys(service.secrets);
  if (secret.length > 0) terminal.remark(`readable only by the owner: ${secret.join(', ')}`);
  return {
    data: { files: files.map(({ path, text }) => ({ path, text })), changes },
    text: files
      .map(({ text }) => text)
      .join('\n')
      .trimEnd(),
  };
}

const wouldBe = (change: FileChange['change']): string => (change === 'unchanged' ? 'unchanged' : `would be ${change}`);
