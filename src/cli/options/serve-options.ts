// The options of a server, for serve and service install.

import { QueueError } from '../../errors/errors.ts';
import type { TlsFiles } from '../../server/auth/entrance.ts';
import type { Context, OptionSpecs } from '../command.ts';

const MOST_SLOTS = 10_000;

export const SERVE_OPTIONS = {
  port: { kind: 'integer', value: 'N', help: 'port to listen on (default: 7777, or the next free port)' },
  host: { kind: 'text', value: 'ADDRESS', help: 'address to listen on (default: 127.0.0.1)' },
  workers: { kind: 'integer', value: 'N', help: 'also run up to N jobs at once in the server (default: 0)' },
  'allow-host': {
    kind: 'text',
    value: 'NAME',
    many: true,
    help: 'accept requests for this host name (repeatable)',
  },
  'read-only': { kind: 'flag', help: 'reject all changes' },
  'tls-cert': { kind: 'text', value: 'FILE', help: 'TLS certificate (PEM); serves HTTPS' },
  'tls-key': { kind: 'text', value: 'FILE', help: 'TLS private key (PEM)' },
  'behind-proxy': { kind: 'flag', help: 'a reverse proxy terminates TLS; trust its X-Forwarded-* headers' },
} satisfies OptionSpecs;

type ServeContext = Context<typeof SERVE_OPTIONS>;

/** The number of jobs that the server runs at once. */
export function slotsOf({ options }: ServeContext): number {
  const slots = options.number('workers') ?? 0;
  if (slots >= 0 && slots <= MOST_SLOTS) return slots;
  throw new QueueError('usage', {
    problem: `--workers must be from 0 to ${MOST_SLOTS}, not ${slots}`,
    hint: '',
  });
}

export function tlsFilesOf({ options }: ServeContext): TlsFiles | undefined {
  const [cert, key] = [options.text('tls-cert'), options.text('tls-key')];
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw new QueueError('usage', {
    problem: '--tls-cert and --tls-key require each other',
    hint: 'queuectl serve --tls-cert cert.pem --tls-key key.pem',
  });
}

export function portOf({ options }: ServeContext): number | undefined {
  const port = options.number('port');
  if (port === undefined || (port >= 0 && port <= 65_535)) return port;
  throw new QueueError('usage', { problem: `--port must be from 0 to 65535, not ${port}`, hint: '' });
}
