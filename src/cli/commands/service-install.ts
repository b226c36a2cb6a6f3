// queuectl service install: a worker or a server that the system starts, keeps and stops.

import { type FileChange, install, plannedChanges } from '../../service/installation.ts';
import type { ServiceManager } from '../../service/manager.ts';
import type { Service } from '../../service/service.ts';
import type { Command, Context, Result } from '../command.ts';
import { installedText, lingerLine } from '../render/service.ts';
import { SERVE_OPTIONS } from '../options/serve-options.ts';
import {
  expectRights,
  managerFor,
  SERVICE_OPTIONS,
  SERVICES_ARE_LOCAL,
  serviceNamed,
} from '../options/service-options.ts';
import { crontabLine, wantedService } from '../serving/service-wish.ts';
import { WORKER_OPTIONS } from '../workers/work.ts';

const { concurrency, queue, drain } = WORKER_OPTIONS;

export const command: Command = {
  name: 'service install',
  purpose: 'set up',
  localOnly: SERVICES_ARE_LOCAL,
  createsQueue: true,
  summary: 'have systemd or launchd keep a worker or a server',
  usage: [
    'worker [--count N] [--concurrency M] [--queue NAME] …',
    'server [--port N] [--workers N] …',
    'worker|server --system --user NAME …',
  ],
  options: {
    count: { kind: 'integer', value: 'N', means: 'how many worker processes (default: 1)' },
    ...(concurrency && { concurrency }),
    ...(queue && { queue }),
    ...(drain && { drain: { ...drain, hidden: true } }),
    ...SERVE_OPTIONS,
    port: { kind: 'integer', value: 'N', means: 'the port of the server (default: 7777)' },
    env: {
      kind: 'text',
      short: 'e',
      value: 'K[=V]',
      many: true,
      means: 'give it this variable (K alone: copy it)',
    },
    'stop-timeout': {
      kind: 'seconds',
      value: 'DURATION',
      means: 'how long jobs may take to finish (default: no limit)',
    },
    ...SERVICE_OPTIONS,
    user: { kind: 'text', value: 'NAME', means: 'with --system: whom it runs as' },
    'dry-run': { kind: 'flag', means: 'print the unit; change nothing' },
  },
  examples: [
    ['queuectl service install worker --concurrency 4', 'four jobs at a time, from now on'],
    ['queuectl service install worker --name mail --queue mail --count 2', 'beside it'],
    ['queuectl service install server --port 7777', 'the page and the HTTP API'],
    ['queuectl service install worker --print', 'what systemd would be given'],
  ],
  notes: [
    'It serves the queue that this command would use. Run it again to change it: only what differs is changed, and running jobs finish first.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  const service = wantedService(context, serviceNamed(context, command.name));
  const manager = await managerFor(context);
  if (context.options.has('dry-run')) return preview(context, manager, service);
  expectRights(context);
  const otherwise = `--print shows what would be installed; a line for crontab -e instead: ${crontabLine(service)}`;
  const { changes, units } = await install(manager, service, otherwise);
  const linger = await manager.linger();
  if (linger === false) context.terminal.remark(lingerLine());
  return {
    data: { role: service.role, name: service.name, manager: manager.kind, units, changes, linger },
    text: installedText(service, changes, units),
  };
}

function preview({ terminal }: Context, manager: ServiceManager, service: Service): Result {
  const files = manager.files(service).filter(({ mode }) => mode !== 0o600);
  const changes = plannedChanges(manager, service);
  for (const { path, change } of changes) terminal.remark(`${wouldBe(change)}: ${path}`);
  const secret = Object.keys(service.secrets);
  if (secret.length > 0) terminal.remark(`only for its owner to read: ${secret.join(', ')}`);
  return {
    data: { files: files.map(({ path, text }) => ({ path, text })), changes },
    text: files
      .map(({ text }) => text)
      .join('\n')
      .trimEnd(),
  };
}

const wouldBe = (change: FileChange['change']): string =>
  change === 'unchanged' ? 'stays as it is' : `would be ${change}`;
