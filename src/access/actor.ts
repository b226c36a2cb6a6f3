// The actor of a command line: login name and host, as in ann@build7.

import { hostname, userInfo } from 'node:os';

export const actorOn = (environment: Readonly<Record<string, string | undefined>>): string =>
  `${loginName()}@${environment.QUEUECTL_HOST || hostname()}`;

/** Not read from the environment, which users can change. In a container, a UID may have no name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
