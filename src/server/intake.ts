// Intake for jobs that arrive over HTTP. They run with the environment of their worker, because the server's shell is
// private and the client's is unknown. A job without a working directory runs in the server's.

import type { Intake, Queue } from '../queue/queue.ts';

export const intakeOf = (queue: Queue): Promise<Intake> => queue.intake({}, false);
