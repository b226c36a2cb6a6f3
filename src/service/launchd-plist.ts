// The property list of one launchd process. A shell reads the secrets from a private file, because property lists are
// readable by all users.

import { recordLine, type Service } from './service.ts';

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

export interface Agent {
  readonly label: string;
  /** Default working directory; null for the root directory. */
  readonly folder: string | null;
  readonly environmentFile: string | null;
}

const READ_SECRETS = 'set -a; . "$0"; set +a; exec "$@"';

export function plistText(service: Service, { label, folder, environmentFile }: Agent): string {
  const { role, command, variables, stopSeconds, runAs, log } = service;
  const plist: Record<string, Value> = {
    Label: label,
    ProgramArguments: environmentFile === null ? command : ['/bin/sh', '-c', READ_SECRETS, environmentFile, ...command],
    EnvironmentVariables: variables,
    ...(runAs !== null && { UserName: runAs }),
    ...(folder !== null && { WorkingDirectory: folder }),
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false }, // not after queuectl worker stop
    ThrottleInterval: 10,
    ExitTimeOut: stopSeconds ?? 0, // 0 waits as long as running jobs take
    AbandonProcessGroup: true,
    StandardOutPath: role === 'server' ? '/dev/null' : log, // a server prints its URL with the token
    StandardErrorPath: log,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${recordLine(service)} -->`,
    '<plist version="1.0">',
    xml(plist, ''),
    '</plist>',
    '',
  ].join('\n');
}

function xml(value: Value, indent: string): string {
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (typeof value === 'string') return `${indent}<string>${text(value)}</string>`;
  const [tag, inner] = Array.isArray(value)
    ? ['array', value.map((item) => xml(item, `${indent}  `))]
    : [
        'dict',
        Object.entries(value).map(([key, item]) => `${indent}  <key>${text(key)}</key>\n${xml(item, `${indent}  `)}`),
      ];
  return [`${indent}<${tag}>`, ...inner, `${indent}</${tag}>`].join('\n');
}

/** A carriage return would be read as a newline. */
const text = (plain: string): string =>
  plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
