import { spawn } from 'node:child_process';
import { installedAs } from '../../service/installation.ts';
import { plainly } from '../../service/tool.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { managerFor, SERVICE_OPTIONS, SERVICES_ARE_LOCAL, serviceNamed } from '../options/service-options.ts';
import { QueueError } from '../../errors/errors.ts';

const USUAL_LINES = 100;

const OPTIONS = {
  follow: { kind: 'flag', short: 'f', help: 'follow the log until Ctrl-C' },
  tail: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    help: `show only the last N lines (default: ${USUAL_LINES})`,
  },
  ...SERVICE_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'service logs',
  purpose: 'set up',
  localOnly: SERVICES_ARE_LOCAL,
  summary: 'show the log of a service; follow it with -f',
  usage: ['worker|server [--follow] [--tail N] [--name NAME]'],
  options: OPTIONS,
  examples: [
    ['queuectl service logs worker -f', 'follow the log of the worker service'],
    ['queuectl service logs server --tail 20', 'show the last 20 lines'],
  ],
  notes: ['The log contains no job output; use queuectl logs ID for that.'],
  run: async (context) => {
    const { role, name } = serviceNamed(context, command.name);
    const lines = inRange('tail', context.options.number('tail') ?? USUAL_LINES, 0);
    const manager = await managerFor(context);
    const service = installedAs(manager, role, name);
    const follow = context.options.has('follow');
    return { exitCode: await show(context, manager.logCommand(service, { follow, lines })) };
  },
};

/** Prints the lines to stdout; with --json, each as a JSON string. */
function show(context: Context, [program = '', ...args]: readonly string[]): Promise<number> {
  const { terminal, environment } = context;
  const child = spawn(program, args, { env: plainly(environment), stdio: ['ignore', 'pipe', 'inherit'] });
  context.onInterrupt(() => child.kill('SIGINT')); // a terminal sends the signal to both
  let unfinished = '';
  return new Promise((resolve, reject) => {
    const fail = (problem: string): void =>
      reject(new QueueError('service_manager_failed', { command: program, problem }));
    child.once('error', ({ message }) => fail(message));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop() ?? '';
      try {
        for (const line of lines) terminal.out(`${terminal.json ? JSON.stringify(line) : line}\n`);
      } catch (error) {
        child.kill();
        reject(error);
      }
    });
    child.once('close', (code) => resolve(code ?? 0));
  });
}
