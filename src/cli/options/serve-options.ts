// The options of a server, whether it is started now or by the system.

import { QueueError } from '../../errors/errors.ts';
import type { TlsFiles } from '../../server/auth/entrance.ts';
import type { Context, OptionSpec } from '../command.ts';

const MOST_SLOTS = 10_000;

export const SERVE_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  port: { kind: 'integer', value: 'N', means: 'the port (default: 7777, or the next free one)' },
  host: { kind: 'text', value: 'ADDRESS', means: 'the address to listen on (default: 127.0.0.1)' },
  workers: { kind: 'integer', value: 'N', means: 'run jobs here too, up to N at once (default: none)' },
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
};

/** Jobs at once in the process of the server. */
export function slotsOf({ options }: Context): number {
  const slots = options.number('workers') ?? 0;
  if (slots >= 0 && slots <= MOST_SLOTS) return slots;
  throw new QueueError('usage', {
    problem: `--workers must be from 0 to ${MOST_SLOTS}, not ${slots}`,
    hint: '',
  });
}

export function tlsFilesOf({ options }: Context): TlsFiles | undefined {
  const [cert, key] = [options.text('tls-cert'), options.text('tls-key')];
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw new QueueError('usage', {
    problem: '--tls-cert and --tls-key belong together',
    hint: 'queuectl serve --tls-cert cert.pem --tls-key key.pem',
  });
}

export function portOf({ options }: Context): number | undefined {
  const port = options.number('port');
  if (port === undefined || (port >= 0 && port <= 65_535)) return port;
  throw new QueueError('usage', { problem: `--port must be from 0 to 65535, not ${port}`, hint: '' });
}
