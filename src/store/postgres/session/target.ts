// Parses a postgres:// URL: server, database, schema and credentials. Missing parts come from libpq's variables.
// Opens no connection and loads no driver, because every command needs the location of its queue. A service file is read
// only if a service is named.

import { QueueError } from '../../../errors/errors.ts';
import { readService } from './service-file.ts';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface Target {
  /** The URL of the queue without its password. */
  readonly name: string;
  /** A host name or address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** null: taken from the password file, or not needed. */
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
/** PostgreSQL silently truncates longer names. */
const LONGEST_NAME_BYTES = 63;

/** The parameters of the URL, each with the variable that is used if the parameter is missing. */
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
  const given = parametersOf(address);
  const { homedir, userInfo } = process.getBuiltinModule('node:os'); // SQLite queues do not need it
  const home = environment.HOME || homedir();
  const serviceName = given.get('service') || environment.PGSERVICE;
  const service = serviceName ? readService(serviceName, environment, home) : null;
  const value = (name: Parameter): string | null => {
    const variable = PARAMETERS[name];
    return given.get(name) || service?.get(name) || (variable && environment[variable]) || null;
  };
  const user = value('user') ?? userInfo().username;
  const place = {
    host: value('host') ?? 'localhost',
    port: portOf(value('port')),
    database: value('dbname') ?? user,
    user,
    schema: schemaOf(given.get('schema') ?? DEFAULT_SCHEMA),
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

/** The parts of the URL by their names as parameters. Query parameters override the other parts. */
function parametersOf(address: string): Map<string, string> {
  const url = urlOf(address);
  if (url.hash !== '') throw unusable(`'${redacted(address)}' contains a #; write it as %23`);
  const found = new Map<string, string>();
  const parts: [Parameter, string][] = [
    ['user', url.username],
    ['password', url.password],
    ['host', url.hostname === NO_HOST ? '' : url.hostname.replace(/^\[(.*)\]$/, '$1')],
    ['port', url.port],
    ['dbname', url.pathname.slice(1)],
  ];
  for (const [name, part] of parts) if (part !== '') found.set(name, decoded(part));
  for (const [name, part] of url.searchParams) {
    if (!Object.hasOwn(PARAMETERS, name)) {
      throw unusable(`unknown parameter '${name}' in the PostgreSQL URL`, `use ${Object.keys(PARAMETERS).join(', ')}`);
    }
    found.set(name, part);
  }
  return found;
}

/** Stands for a missing host next to a user or port, which libpq allows and URLs do not. */
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

/** Removes everything that may be a password: all before the last @, and the parameter `password`. */
export const redacted = (address: string): string =>
  address.replace(/\/\/.*@/s, '//***@').replace(/([?&]password=)[^&]*/gi, '$1***');

/** These are part of `Target.name` or must not be shown. */
const NOT_REPEATED = new Set(['host', 'port', 'user', 'dbname', 'schema', 'password']);

/** The URL with all its parameters except the password, independent of libpq's variables. */
export function addressWithoutPassword(address: string, { name }: Target): string {
  const url = new URL(name);
  for (const [parameter, value] of urlOf(address).searchParams)
    if (!NOT_REPEATED.has(parameter)) url.searchParams.set(parameter, value);
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
  if (/^pg_/i.test(name)) throw unusable(`schema names that start with pg_ are reserved by PostgreSQL: '${name}'`);
  return name;
}

function nameOf(place: Pick<Target, 'host' | 'port' | 'database' | 'user' | 'schema'>): string {
  const { host, port, database, user, schema } = place;
  const server = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const end = schema === DEFAULT_SCHEMA ? '' : `?schema=${encodeURIComponent(schema)}`;
  return `postgres://${encodeURIComponent(user)}@${server}:${port}/${encodeURIComponent(database)}${end}`;
}

/** A directory name for data of this queue on this machine: the same for every user, different for each queue. */
export function folderNameOf({ host, port, database, schema }: Target): string {
  // Letters, digits and dots are kept; other characters are replaced with their codes. So different queues have different names.
  const safe = (text: string): string =>
    text.replace(/[^A-Za-z0-9.-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`);
  return ['pg', host, String(port), database, schema].map(safe).join('@');
}

const unusable = (
  problem: string,
  hint = 'write the URL as postgres://user:password@host:5432/database?schema=queuectl, with special characters percent-encoded',
): QueueError => new QueueError('usage', { problem, hint });
