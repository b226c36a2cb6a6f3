// The systemd unit of a service. Workers use a template with one instance per process.

import { recordLine, type Service } from './service.ts';

/** systemd gives up after this many starts per hour: at one start in ten seconds, after about half an hour. */
const STARTS_AN_HOUR = 200;

export function unitText(service: Service, environmentFile: string | null): string {
  return [
    `# ${recordLine(service)}`,
    `# Written by queuectl service install, which overwrites changes. Use systemctl edit for your own settings.`,
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
    ...(service.isSystem ? ['Wants=network-online.target', 'After=network-online.target postgresql.service'] : []),
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
      ? ['# The output contains the URL with the token, so it must not reach the journal.', 'StandardOutput=null']
      : []),
    '# Sends TERM only to queuectl, which lets running jobs finish. The default would also signal the jobs.',
    'KillMode=mixed',
    '# Time limit for running jobs. Interrupted jobs run again at the next start.',
    `TimeoutStopSec=${stopSeconds ?? 'infinity'}`,
    '# Restarts after a crash, but not after queuectl worker stop or a wrong command line.',
    'Restart=on-failure',
    'RestartSec=10',
    'RestartPreventExitStatus=2',
    '# A job that runs out of memory fails alone. The default would stop the service.',
    'OOMPolicy=continue',
    '# Jobs with resource limits get their own cgroups.',
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
