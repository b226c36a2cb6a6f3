// Who sits at a command line: the login name and the host, as in ann@build7.

import { hostname, userInfo } from 'node:os';

export const actorOn = (environment: Readonly<Record<string, string | undefined>>): string =>
  `${loginName()}@${environment.QUEUECTL_HOST || hostname()}`;

/** Not from the environment, which anybody can set. In a container a user may have a number and no name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
