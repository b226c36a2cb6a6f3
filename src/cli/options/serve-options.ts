// The options of a server, for serve and service install.

import { usageError } from '../../errors/errors.ts';
import type { TlsFiles } from '../../server/auth/entrance.ts';
import type { Context, OptionSpecs } from '../command.ts';
import { inRange } from './checks.ts';

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
export const slotsOf = ({ options }: ServeContext): number =>
  inRange('workers', options.number('workers') ?? 0, 0, MOST_SLOTS);

export function tlsFilesOf({ options }: ServeContext): TlsFiles | undefined {
  const [cert, key] = [options.text('tls-cert'), options.text('tls-key')];
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw usageError(
    '--tls-cert and --tls-key require each other',
    'queuectl serve --tls-cert cert.pem --tls-key key.pem',
  );
}

export function portOf({ options }: ServeContext): number | undefined {
  const port = options.number('port');
  return port === undefined ? undefined : inRange('port', port, 0, 65_535);
}
