// The way in for jobs that come over HTTP. The caller's shell is elsewhere, and that of the server is nobody else's
// business: they run with the environment of their worker. One that names no folder runs in that of the server.

import type { Intake, Queue } from '../queue/queue.ts';

export const intakeOf = (queue: Queue): Promise<Intake> => queue.intake({}, false);
