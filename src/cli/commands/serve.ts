// queuectl serve: the HTTP API and the page, until a signal ends it.

import { DEFAULT_HOST } from '../../server/usual-address.ts';
import type { Command, Context, Result } from '../command.ts';
import { keepParts } from '../keep-parts.ts';
import { pageFolder } from '../program-path.ts';
import { exactArguments } from '../required.ts';
import { portOf, SERVE_OPTIONS, slotsOf, tlsFilesOf } from '../options/serve-options.ts';
import { version } from '../../system/version.ts';

export const command: Command = {
  name: 'serve',
  aliases: ['dashboard'],
  purpose: 'look',
  localOnly: 'it serves the queue of its own machine: start it there, with --db',
  createsQueue: true,
  summary: 'serve the page and the HTTP API',
  usage: ['[--port N] [--workers N] [--open] [--read-only]', '--host ADDRESS --tls-cert FILE --tls-key FILE'],
  options: {
    ...SERVE_OPTIONS,
    open: { kind: 'flag', short: 'o', means: 'open the page in a browser' },
    'no-auth': { kind: 'flag', means: 'let in anyone who can reach it; on loopback alone' },
  },
  examples: [
    ['queuectl serve', 'prints the address to open'],
    ['queuectl serve --open --workers 4', 'a whole system: the page, and four jobs at a time'],
    ['queuectl serve --port 8080', 'on this port or not at all'],
  ],
  notes: [
    'Anyone who has the printed address may do everything with this queue: it holds a token. `queuectl user` and `queuectl token` let in others who may do less.',
    'A signal stops the server; with --workers running jobs finish first, and a second signal ends them and puts them back.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'serve');
  const slots = slotsOf(context);
  keepParts();
  const { serveQueue } = await import('../../server/serve.ts');
  const serving = await serveQueue(await context.localQueue(), {
    host: context.options.text('host') ?? DEFAULT_HOST,
    port: portOf(context),
    page: pageFolder(),
    version,
    allowHosts: context.options.all('allow-host'),
    readOnly: context.options.has('read-only'),
    tls: tlsFilesOf(context),
    behindProxy: context.options.has('behind-proxy'),
    noAuth: context.options.has('no-auth'),
    log: (line) => context.terminal.say(line),
  });
  const { liveUntilStopped } = await import('../serving/serve-life.ts');
  await liveUntilStopped(context, serving, { slots, opensBrowser: context.options.has('open') });
  return {};
}
