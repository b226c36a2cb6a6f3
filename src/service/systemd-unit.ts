// The systemd unit of a service. Workers use a template with one instance per process.

import { recordLine, type Service } from './service.ts';

/** systemd gives up after this many starts per hour: at one start in ten seconds, after about half an hour. */
const STARTS_AN_HOUR = 200;

export function unitText(service: Service, environmentFile: string | null): string {
  return [
    `# ${recordLine(service)}`,
    `# Written by queuectl service install, which would overwrite changes; systemctl edit keeps yours apart.`,
    '',
    ...unitSection(service),
    '',
    ...serviceSection(service, environmentFile),
    '',
    '[Install]',
    `WantedBy=${service.isSystem ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

function unitSection(service: Service): string[] {
  return [
    '[Unit]',
    `Description=${descriptionOf(service)}`,
    ...(service.isSystem
      ? ['Wants=network-online.target', 'After=network-online.target postgresql.service']
      : []),
    'StartLimitIntervalSec=1h',
    `StartLimitBurst=${STARTS_AN_HOUR}`,
  ];
}

function descriptionOf({ role, queues, count }: Service): string {
  const instance = role === 'worker' && count > 1 ? ' %i' : '';
  const what = queues === null ? '' : ` of ${queues.length === 1 ? 'queue' : 'queues'} ${queues.join(', ')}`;
  return `queuectl ${role}${instance}${what}`;
}

function serviceSection(service: Service, environmentFile: string | null): string[] {
  const { runAs, command, variables, stopSeconds, role } = service;
  return [
    '[Service]',
    ...(runAs === null ? [] : [`User=${runAs}`]),
    'WorkingDirectory=~',
    ...Object.entries(variables).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    ...(environmentFile === null ? [] : [`EnvironmentFile=${percent(environmentFile)}`]),
    `ExecStart=${execLine(command)}`,
    // The first line is a URL with a token and must not be logged.
    ...(role === 'server'
      ? ['# What it prints is the address with the token: not for a journal.', 'StandardOutput=null']
      : []),
    '# TERM to queuectl alone, which lets running jobs finish: the default sends it to the jobs as well.',
    'KillMode=mixed',
    '# How long they may take. What is cut off runs again at the next start.',
    `TimeoutStopSec=${stopSeconds ?? 'infinity'}`,
    '# After a crash, not after queuectl worker stop, nor when the command line itself is wrong.',
    'Restart=on-failure',
    'RestartSec=10',
    'RestartPreventExitStatus=2',
    "# A job that runs out of memory is that job's failure: the default would stop the service.",
    'OOMPolicy=continue',
    '# Jobs with limits get control groups of their own.',
    'Delegate=yes',
  ];
}

// Quoting (systemd.syntax, systemd.exec): double quotes with C escapes, and doubled % and $.

/** % starts a specifier in unit files. */
const percent = (text: string): string => text.replaceAll('%', '%%');

/** Quotes one word of a line that systemd splits into words. */
function quoted(word: string): string {
  const escaped = percent(word)
    .replace(/["\\]/g, '\\$&')
    .replace(/\p{Cc}/gu, controlCharacter);
  return /^[\w@%+=:,./-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

/** Beyond ASCII, \x would mean a byte, and nothing needs escaping. */
const controlCharacter = (sign: string): string =>
  sign > '\u007f' ? sign : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** systemd rejects program paths with quotes, backslashes or control characters, even if escaped. */
const isUnsafeProgram = (path: string): boolean => /["'\\]|\p{Cc}/u.test(path);

/** Returns an ExecStart= value: a program with an absolute path, and its arguments. */
function execLine(command: readonly string[]): string {
  const [program = '', ...args] = command;
  if (isUnsafeProgram(program)) return execLine(['/bin/sh', '-c', 'exec "$0" "$@"', ...command]);
  return [quoted(program), ...args.map((arg) => quoted(arg.replaceAll('$', '$$$$')))].join(' ');
}
