// The clock that leases are measured by: the same in every process of a host, not changed by whoever sets the time, and
// it goes on while the machine sleeps, as the leases do that others watch. It tells hundredths of a second.

import { uptime } from 'node:os';

export const hostClockMs = (): number => uptime() * 1000;
