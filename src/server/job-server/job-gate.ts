// Who gets in at the socket of a worker: an attempt of its own that runs, by its token, and only through the socket that it was
// given. No browser can reach it, so there are no cookies and no sites to tell apart.

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

/** `socketOf`: by which socket a request came. */
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
      if (!new URL(request.url).pathname.startsWith(`${API}/`))
        throw notForJobs(holder, 'this is about the whole queue');
      return principalOf(holder);
    },
    login: nobody,
    logout: nobody,
  };
}

/** Not reached: each request brings its token. */
const nobody = async (): Promise<never> => {
  throw new QueueError('no_such_attempt');
};

const principalOf = (holder: Holder): JobPrincipal => ({
  name: creatorName(holder),
  role: 'enqueuer',
  holder,
});
