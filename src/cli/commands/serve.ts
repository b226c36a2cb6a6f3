import { DEFAULT_HOST } from '../../server/usual-address.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { keepParts } from '../keep-parts.ts';
import { builtPage } from '../program-path.ts';
import { exactArguments } from '../required.ts';
import { portOf, SERVE_OPTIONS, slotsOf, tlsFilesOf } from '../options/serve-options.ts';
import { version } from '../../system/version.ts';

const OPTIONS = {
  ...SERVE_OPTIONS,
  open: { kind: 'flag', short: 'o', help: 'open the dashboard in a browser' },
  'no-auth': { kind: 'flag', help: 'allow access without authentication (loopback only)' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'serve',
  aliases: ['dashboard'],
  purpose: 'look',
  localOnly: 'run queuectl serve next to the database, with --db',
  createsQueue: true,
  summary: 'serve the dashboard and the HTTP API',
  usage: ['[--port N] [--workers N] [--open] [--read-only]', '--host ADDRESS --tls-cert FILE --tls-key FILE'],
  options: OPTIONS,
  examples: [
    ['queuectl serve', 'print the URL of the dashboard'],
    ['queuectl serve --open --workers 4', 'run the dashboard and up to four jobs at once in one process'],
    ['queuectl serve --port 8080', 'listen on this port only'],
  ],
  notes: [
    'The printed URL contains a token that gives full access to the queue. To give others less access, use `queuectl user` and `queuectl token`.',
    'A signal stops the server. With --workers, running jobs finish first; a second signal stops and requeues them.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'serve');
    const slots = slotsOf(context);
    keepParts();
    const { serveQueue } = await import('../../server/serve.ts');
    const serving = await serveQueue(await context.localQueue(), {
      host: context.options.text('host') ?? DEFAULT_HOST,
      port: portOf(context),
      page: builtPage(),
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
  },
};
