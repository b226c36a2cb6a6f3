// queuectl serve: the HTTP API and the page, until a signal ends it.

import { QueueError } from '../../errors.ts';
import type { TlsFiles } from '../../server/auth/entrance.ts';
import type { Command, Context, Result } from '../command.ts';
import { keepParts } from '../keep-parts.ts';
import { pageFolder } from '../program-path.ts';
import { theseArguments } from '../required.ts';
import { version } from '../../version.ts';

export const command: Command = {
  name: 'serve',
  aliases: ['dashboard'],
  purpose: 'look',
  summary: 'serve the page and the HTTP API',
  usage: ['[--port N] [--workers N] [--open] [--read-only]', '--host ADDRESS --tls-cert FILE --tls-key FILE'],
  options: {
    port: { kind: 'integer', value: 'N', means: 'the port (default: 7777, or the next free one)' },
    host: { kind: 'text', value: 'ADDRESS', means: 'the address to listen on (default: 127.0.0.1)' },
    workers: { kind: 'integer', value: 'N', means: 'run jobs here too, up to N at once (default: none)' },
    open: { kind: 'flag', short: 'o', means: 'open the page in a browser' },
    'allow-host': {
      kind: 'text',
      value: 'NAME',
      many: true,
      means: 'answer requests for this name, too (may be given again)',
    },
    'read-only': { kind: 'flag', means: 'let nobody change anything through it' },
    'tls-cert': { kind: 'text', value: 'FILE', means: 'serve https with this certificate (PEM)' },
    'tls-key': { kind: 'text', value: 'FILE', means: 'and this key' },
    'behind-proxy': { kind: 'flag', means: 'a proxy before it does TLS; believe its X-Forwarded- headers' },
    'no-auth': { kind: 'flag', means: 'let in whoever can reach it; on loopback alone' },
  },
  examples: [
    ['queuectl serve', 'prints the address to open'],
    ['queuectl serve --open --workers 4', 'a whole system: the page, and four jobs at a time'],
    ['queuectl serve --port 8080', 'on this port or not at all'],
  ],
  notes: [
    'Whoever has the printed address may do everything with this queue: it holds a token. `queuectl user` and `queuectl token` let others in who may do less.',
    'A signal stops the server; with --workers running jobs finish first, and a second signal ends them and puts them back.',
  ],
  run,
};

const MOST_SLOTS = 10_000;

async function run(context: Context): Promise<Result> {
  theseArguments(context, [], 'serve');
  const slots = slotsOf(context);
  keepParts();
  const { serveQueue, DEFAULT_HOST } = await import('../../server/serve.ts');
  const serving = await serveQueue(await context.queue(), {
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
  const { liveUntilStopped } = await import('../serve-life.ts');
  await liveUntilStopped(context, serving, { slots, opensBrowser: context.options.has('open') });
  return {};
}

function slotsOf({ options }: Context): number {
  const slots = options.number('workers') ?? 0;
  if (slots >= 0 && slots <= MOST_SLOTS) return slots;
  throw new QueueError('usage', {
    problem: `--workers must be from 0 to ${MOST_SLOTS}, not ${slots}`,
    hint: '',
  });
}

function tlsFilesOf({ options }: Context): TlsFiles | undefined {
  const [cert, key] = [options.text('tls-cert'), options.text('tls-key')];
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw new QueueError('usage', {
    problem: '--tls-cert and --tls-key belong together',
    hint: 'queuectl serve --tls-cert cert.pem --tls-key key.pem',
  });
}

function portOf({ options }: Context): number | undefined {
  const port = options.number('port');
  if (port === undefined || (port >= 0 && port <= 65_535)) return port;
  throw new QueueError('usage', { problem: `--port must be from 0 to 65535, not ${port}`, hint: '' });
}
