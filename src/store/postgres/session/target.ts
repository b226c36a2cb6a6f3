// What a postgres:// address means: server, database, schema, and how to get in. The rest comes from libpq's variables.
// No connection is made here and no driver is loaded, because every command asks where its queue lives. A service file
// is read only if a service is named.

import { QueueError } from '../../../errors/errors.ts';
import { readService } from './service-file.ts';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface Target {
  /** The place as a user would name it, without its password. */
  readonly name: string;
  /** A host name or address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** null: from the password file, or none is needed. */
  readonly password: string | null;
  readonly passFile: string;
  readonly schema: string;
  readonly connectTimeoutMs: number;
  readonly sslMode: SslMode;
  readonly sslRootCert: string | null;
  readonly sslCert: string | null;
  readonly sslKey: string | null;
  readonly applicationName: string;
  readonly options: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_SCHEMA = 'queuectl';
const DEFAULT_PORT = 5432;
const DEFAULT_CONNECT_TIMEOUT_S = 5;
/** PostgreSQL silently cuts longer names. */
const LONGEST_NAME_BYTES = 63;

/** What may follow the question mark, and the variable that is used where it does not. */
const PARAMETERS = {
  schema: null,
  service: 'PGSERVICE',
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  passfile: 'PGPASSFILE',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
} as const;
type Parameter = keyof typeof PARAMETERS;

export function parseTarget(address: string, environment: Environment): Target {
  const said = parametersOf(address);
  const { homedir, userInfo } = process.getBuiltinModule('node:os'); // no queue in a file needs it
  const home = environment.HOME || homedir();
  const serviceName = said.get('service') || environment.PGSERVICE;
  const service = serviceName ? readService(serviceName, environment, home) : null;
  const value = (name: Parameter): string | null => {
    const variable = PARAMETERS[name];
    return said.get(name) || service?.get(name) || (variable && environment[variable]) || null;
  };
  const user = value('user') ?? userInfo().username;
  const place = {
    host: value('host') ?? 'localhost',
    port: portOf(value('port')),
    database: value('dbname') ?? user,
    user,
    schema: schemaOf(said.get('schema') ?? DEFAULT_SCHEMA),
  };
  return {
    ...place,
    name: nameOf(place),
    password: value('password'),
    passFile: value('passfile') ?? `${home}/.pgpass`,
    connectTimeoutMs: timeoutOf(value('connect_timeout')) * 1000,
    sslMode: sslModeOf(value('sslmode')),
    sslRootCert: value('sslrootcert'),
    sslCert: value('sslcert'),
    sslKey: value('sslkey'),
    applicationName: value('application_name') ?? 'queuectl',
    options: value('options'),
  };
}

/** The parts of the address by their names as parameters; what follows the question mark wins. */
function parametersOf(address: string): Map<string, string> {
  const url = urlOf(address);
  if (url.hash !== '') throw unusable(`'${redacted(address)}' contains a #; write it as %23`);
  const said = new Map<string, string>();
  const parts: [Parameter, string][] = [
    ['user', url.username],
    ['password', url.password],
    ['host', url.hostname === NO_HOST ? '' : url.hostname.replace(/^\[(.*)\]$/, '$1')],
    ['port', url.port],
    ['dbname', url.pathname.slice(1)],
  ];
  for (const [name, part] of parts) if (part !== '') said.set(name, decoded(part));
  for (const [name, part] of url.searchParams) {
    if (!Object.hasOwn(PARAMETERS, name)) {
      throw unusable(
        `unknown parameter '${name}' in the PostgreSQL URL`,
        `use ${Object.keys(PARAMETERS).join(', ')}`,
      );
    }
    said.set(name, part);
  }
  return said;
}

/** Fills in for a missing host beside a user or a port, which libpq allows and URLs do not. */
const NO_HOST = 'no.host.invalid';

function urlOf(address: string): URL {
  try {
    return new URL(address.replace(/^(\w+:\/\/(?:[^/?#]*@)?)(?=:\d|[/?]|$)/, `$1${NO_HOST}`));
  } catch {
    throw unusable(`invalid PostgreSQL URL '${redacted(address)}'`);
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw unusable('a % in a PostgreSQL URL must be followed by two hexadecimal digits');
  }
}

/** Without anything that may be a password: all before the last @, and the parameter of that name. */
export const redacted = (address: string): string =>
  address.replace(/\/\/.*@/s, '//***@').replace(/([?&]password=)[^&]*/gi, '$1***');

/** These are in the name of a target already, or must not be shown. */
const NOT_SAID_AGAIN = new Set(['host', 'port', 'user', 'dbname', 'schema', 'password']);

/** The same place with all that the address says of it but its password, whatever libpq's variables are elsewhere. */
export function addressWithoutPassword(address: string, { name }: Target): string {
  const url = new URL(name);
  for (const [parameter, value] of urlOf(address).searchParams)
    if (!NOT_SAID_AGAIN.has(parameter)) url.searchParams.set(parameter, value);
  return url.href;
}

function portOf(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw unusable(`invalid port '${text}'`);
  return port;
}

function timeoutOf(text: string | null): number {
  if (text === null) return DEFAULT_CONNECT_TIMEOUT_S;
  const seconds = Number(text);
  if (!(seconds >= 0)) throw unusable(`connect_timeout must be a number of seconds, not '${text}'`);
  return seconds === 0 ? DEFAULT_CONNECT_TIMEOUT_S : Math.min(seconds, 3600);
}

function sslModeOf(text: string | null): SslMode {
  const mode = SSL_MODES.find((known) => known === (text ?? 'prefer'));
  if (!mode) throw unusable(`unknown sslmode '${text}'`, `use ${SSL_MODES.join(', ')}`);
  return mode;
}

function schemaOf(name: string): string {
  if (name === '' || name.includes('\0')) throw unusable('empty schema name');
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    throw unusable(`schema name longer than ${LONGEST_NAME_BYTES} bytes: '${name}'`);
  }
  if (/^pg_/i.test(name))
    throw unusable(`schema names that start with pg_ are reserved by PostgreSQL: '${name}'`);
  return name;
}

function nameOf(place: Pick<Target, 'host' | 'port' | 'database' | 'user' | 'schema'>): string {
  const { host, port, database, user, schema } = place;
  const server = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const end = schema === DEFAULT_SCHEMA ? '' : `?schema=${encodeURIComponent(schema)}`;
  return `postgres://${encodeURIComponent(user)}@${server}:${port}/${encodeURIComponent(database)}${end}`;
}

/** A file name for what belongs to this queue on this machine: the same for every user, another for each queue. */
export function folderNameOf({ host, port, database, schema }: Target): string {
  // Letters, digits and dots stand for themselves, all else for its code: nothing is lost, so no two names meet.
  const safe = (text: string): string =>
    text.replace(/[^A-Za-z0-9.-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`);
  return ['pg', host, String(port), database, schema].map(safe).join('@');
}

const unusable = (
  problem: string,
  hint = 'write the URL as postgres://user:password@host:5432/database?schema=queuectl, with special characters percent-encoded',
): QueueError => new QueueError('usage', { problem, hint });
