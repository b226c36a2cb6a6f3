// The unit that systemd keeps a service by. Workers are a template, an instance for each process.

import { recordLine, type Service } from './service.ts';
import { execLine, percent, quoted } from './systemd-quote.ts';

/** After so many failed starts in an hour it gives up, at one in ten seconds after half an hour. */
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
    // Its first line is an address with a token, which belongs in no journal.
    ...(role === 'server'
      ? [
          '# The output contains the URL with the token, so it must not reach the journal.',
          'StandardOutput=null',
        ]
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
