// Authenticates requests at a worker's job sockets: a running attempt of this worker, by its token, and only through
// its own socket. Browsers cannot connect to it, so there are no cookies or origins to check.

import { creatorName, notForJobs } from '../../job/flow/child-job.ts';
import { QueueError } from '../../errors/errors.ts';
import type { Holder, JobSocket } from '../../worker/job-socket/job-socket.ts';
import { API } from '../http/app.ts';
import type { Gate } from '../auth/gate.ts';
import { bearerOf } from '../auth/bearer.ts';
import type { Principal } from '../role.ts';

export interface JobPrincipal extends Principal {
  readonly holder: Holder;
}

/** `socketOf` returns the socket of a request. */
export function jobGate(socketOf: (request: Request) => JobSocket | undefined): Gate {
  const holderOf = (request: Request): Holder => {
    const token = bearerOf(request);
    const holder = token === null ? null : socketOf(request)?.holderOf(token);
    if (!holder) throw new QueueError('no_such_attempt');
    return holder;
  };
  return {
    checkHost: () => {},
    checkOrigin: () => {},
    identify: async (request) => {
      const holder = holderOf(request);
      if (!new URL(request.url).pathname.startsWith(`${API}/`)) throw notForJobs(holder, 'it concerns the whole queue');
      return principalOf(holder);
    },
    login: unsupported,
    logout: unsupported,
  };
}

/** Never called, because each request contains its token. */
const unsupported = async (): Promise<never> => {
  throw new QueueError('no_such_attempt');
};

const principalOf = (holder: Holder): JobPrincipal => ({
  name: creatorName(holder),
  role: 'enqueuer',
  holder,
});
