// Turns the options of service install into a service: its command, its queue, and its public and secret variables.

import { join, resolve } from 'node:path';
import { usageError } from '../../errors/errors.ts';
import { type Place, placeOf } from '../../store/location.ts';
import { checkExposure, tlsFrom } from '../../server/auth/entrance.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from '../../server/usual-address.ts';
import { accountOf } from '../../service/account.ts';
import { idOf, type Service } from '../../service/service.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Context, OptionSpecs } from '../command.ts';
import { thisProgram } from '../program-path.ts';
import { portOf, SERVE_OPTIONS, slotsOf, tlsFilesOf } from '../options/serve-options.ts';
import { type NamedService, SERVICE_OPTIONS } from '../options/service-options.ts';
import { variables } from '../options/variables.ts';
import { WORKER_OPTIONS, workerArguments, workerCount, workerWishes } from '../workers/work.ts';

export const INSTALL_OPTIONS = {
  count: { kind: 'integer', value: 'N', help: 'number of worker processes (default: 1)' },
  concurrency: WORKER_OPTIONS.concurrency,
  queue: WORKER_OPTIONS.queue,
  'exit-when-empty': { ...WORKER_OPTIONS['exit-when-empty'], hidden: true },
  ...SERVE_OPTIONS,
  port: { kind: 'integer', value: 'N', help: 'port of the server (default: 7777)' },
  env: {
    kind: 'text',
    short: 'e',
    value: 'K[=V]',
    many: true,
    help: 'set a variable for the service; without a value, copy it (repeatable)',
  },
  'stop-timeout': {
    kind: 'seconds',
    value: 'DURATION',
    help: 'maximum time for running jobs to finish when the service stops (default: no limit)',
  },
  ...SERVICE_OPTIONS,
  user: { kind: 'text', value: 'NAME', help: 'user that runs the service (requires --system)' },
  'dry-run': { kind: 'flag', help: 'print the unit file without installing it' },
} satisfies OptionSpecs;

type InstallContext = Context<typeof INSTALL_OPTIONS>;

/** Options that apply only to one kind of service. */
const OWN_OPTIONS = {
  worker: ['count', ...Object.keys(WORKER_OPTIONS)],
  server: Object.keys(SERVE_OPTIONS),
} as const;

export function wantedService(context: InstallContext, named: NamedService): Service {
  const { role } = named;
  rejectOthers(context, role);
  const runAs = userOf(context);
  const place = placeFor(context, runAs);
  const { variables: open, secrets } = environmentOf(context, place);
  return {
    ...named,
    count: role === 'worker' ? workerCount(context) : 1,
    place: place.name,
    queues: role === 'worker' ? workerWishes(context).queues : null,
    url: role === 'server' ? urlOf(context) : null,
    log: join(place.run, `${idOf(named)}.log`),
    isSystem: context.options.has('system'),
    runAs,
    command: [process.execPath, ...thisProgram(...argumentsOf(context, role))],
    variables: open,
    secrets,
    stopSeconds: stopSecondsOf(context),
  };
}

function rejectOthers({ options }: InstallContext, role: Service['role']): void {
  const other = role === 'worker' ? 'server' : 'worker';
  const [wrong] = Object.keys(options.pick(...OWN_OPTIONS[other]));
  if (wrong !== undefined)
    throw usageError(
      `--${wrong} is an option of a ${other} service, not of a ${role} service`,
      `queuectl service install ${other} --${wrong} …`,
    );
}

function argumentsOf(context: InstallContext, role: Service['role']): string[] {
  if (role === 'server') return ['serve', ...serverArguments(context)];
  if (context.options.has('exit-when-empty'))
    throw usageError(
      '--exit-when-empty does not apply to services',
      'to run all waiting jobs and exit: queuectl worker run --exit-when-empty',
    );
  return ['worker', 'run', ...workerArguments(context)];
}

/** Rejects options that the server itself would reject at every start. */
function serverArguments(context: InstallContext): string[] {
  const { options } = context;
  const [tls, slots, host] = [tlsFilesOf(context), slotsOf(context), options.text('host') ?? DEFAULT_HOST];
  checkExposure({ host, tls: tls !== undefined, behindProxy: options.has('behind-proxy'), isOpen: false });
  if (tls) tlsFrom(tls);
  return [
    ...['--port', String(fixedPort(context))],
    ...(host === DEFAULT_HOST ? [] : ['--host', host]),
    ...(slots > 0 ? ['--workers', String(slots)] : []),
    ...options.all('allow-host').flatMap((name) => ['--allow-host', name]),
    ...(tls ? ['--tls-cert', resolve(tls.cert), '--tls-key', resolve(tls.key)] : []),
    ...(['read-only', 'behind-proxy'] as const).filter((name) => options.has(name)).map((name) => `--${name}`),
  ];
}

/** Clients have to find the service after a restart. */
function fixedPort(context: InstallContext): number {
  const port = portOf(context) ?? DEFAULT_PORT;
  if (port > 0) return port;
  throw usageError(
    '--port 0 does not apply to services: a service needs a fixed port',
    'choose a port, for example --port 7777',
  );
}

function urlOf(context: InstallContext): string {
  const host = context.options.text('host') ?? DEFAULT_HOST;
  const scheme = tlsFilesOf(context) ? 'https' : 'http';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${fixedPort(context)}`;
}

function stopSecondsOf({ options }: InstallContext): number | null {
  const seconds = options.number('stop-timeout');
  if (seconds === undefined) return null;
  if (seconds >= 1) return Math.round(seconds);
  throw usageError('--stop-timeout must be at least 1 second');
}

/** A system service requires an explicit user, so that jobs do not run as root by accident. */
function userOf({ options }: InstallContext): string | null {
  const user = options.text('user') ?? null;
  if (user !== null && !options.has('system')) throw usageError('--user requires --system', 'add --system');
  if (user === null && options.has('system'))
    throw usageError(
      'missing --user NAME: a system service requires a user',
      'queuectl service install … --system --user NAME; its jobs get all permissions of NAME',
    );
  if (user !== null) accountOf(user);
  return user;
}

/** Returns the database of this command, or the default one of another user if none is given. */
function placeFor({ options, environment }: InstallContext, runAs: string | null): Place {
  const isSaid = options.has('db') || environment.QUEUECTL_DB || environment.QUEUECTL_HOME;
  if (runAs === null || isSaid) return placeOf(options.text('db'), environment);
  return placeOf(undefined, { HOME: accountOf(runAs).home });
}

/** Only paths and URLs without a password are public. All other values go to a file that only the owner can read. */
function environmentOf(
  { options, environment }: InstallContext,
  { db, dbForJobs, file, folder }: Place,
): Pick<Service, 'variables' | 'secrets'> {
  const given = variables(options.all('env'), environment);
  for (const name of Object.keys(given)) checkVariable(name);
  if (file !== null) return { variables: { QUEUECTL_DB: db }, secrets: given };
  const libpq = Object.entries(environment).filter(([name]) => /^PG[A-Z]+$/.test(name));
  const isOpen = db === dbForJobs;
  return {
    variables: { ...(isOpen && { QUEUECTL_DB: db }), QUEUECTL_HOME: folder },
    secrets: {
      ...(isOpen ? {} : { QUEUECTL_DB: db }),
      ...(Object.fromEntries(libpq) as Record<string, string>),
      ...given,
    },
  };
}

function checkVariable(name: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return;
  throw usageError(`invalid variable name '${name}'`, 'use letters, digits and _, not starting with a digit');
}

/** The alternative without systemd: a crontab line that starts the service at boot, without supervision. */
export function crontabLine({ command, variables: open, secrets, count }: Service): string {
  const words = Object.entries(open).map(([name, value]) => `${name}=${shellQuote(value)}`);
  const hidden = Object.keys(secrets).map((name) => `${name}=…`);
  const program = command.map(shellQuote).join(' ');
  const many = count > 1 ? program.replace(' worker run ', ` worker start --count ${count} `) : program;
  return `@reboot ${[...words, ...hidden, many].join(' ').replaceAll('%', '\\%')}`;
}
