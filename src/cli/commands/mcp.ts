// queuectl mcp: exposes the queue to agents as MCP tools over stdin and stdout, until stdin closes.

import { actorOn } from '../../access/actor.ts';
import { checkedRole } from '../../access/account-input.ts';
import { ROLES } from '../../access/role.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { keepParts } from '../keep-parts.ts';
import { exactArguments } from '../required.ts';
import { version } from '../../system/version.ts';

/** Sufficient for jobs. Settings, accounts and values of variables require an admin. */
const DEFAULT_ROLE = 'operator';

const OPTIONS = {
  'read-only': { kind: 'flag', help: 'expose only read-only tools' },
  role: {
    kind: 'text',
    value: 'ROLE',
    choices: ROLES,
    help: `role of the agent: ${ROLES.join(', ')} (default: ${DEFAULT_ROLE})`,
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'mcp',
  purpose: 'set up',
  localOnly: 'run queuectl mcp next to the database, with --db; elsewhere, use the HTTP API or the library',
  createsQueue: true,
  summary: 'expose the queue to an AI agent as MCP tools',
  usage: ['[--read-only] [--role ROLE]'],
  options: OPTIONS,
  examples: [
    ['queuectl mcp --read-only', 'let an agent read the queue'],
    ['queuectl mcp', 'let an agent enqueue and change jobs, with variable values hidden'],
    ['queuectl mcp --role admin', 'let an agent also change settings, users and secrets'],
  ],
  notes: [
    'Agents start this command themselves; docs/guides/agents.md shows how to configure them. It communicates over stdin and stdout and exits when stdin closes.',
    'An agent that may enqueue runs commands as you. The audit log records its changes: queuectl activity.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'mcp');
    const role = checkedRole(context.options.text('role') ?? DEFAULT_ROLE);
    keepParts();
    const queue = await context.localQueue();
    const { serveTools } = await import('../../mcp/serve.ts');
    const serving = serveTools({
      queue,
      principal: { name: actorOn(context.environment), role },
      isReadOnly: context.options.has('read-only'),
      version,
      log: (line) => context.terminal.say(line),
    });
    await Promise.race([serving.ended, interrupted(context)]);
    await serving.close();
    return {};
  },
};

const interrupted = ({ onInterrupt }: Context): Promise<void> =>
  new Promise((resolve) => onInterrupt(() => resolve(), ['SIGHUP']));
