// A service as shown to users and in JSON.

import type { ProcessState, ServiceManager } from './manager.ts';
import type { ServiceRecord } from './service.ts';

export interface ServiceView {
  readonly service: ServiceRecord;
  readonly manager: ServiceManager['kind'];
  readonly isSystem: boolean;
  readonly linger: boolean | null;
  readonly processes: readonly ProcessState[];
}

export const serviceToJson = ({ service, manager, isSystem, linger, processes }: ServiceView) => ({
  role: service.role,
  name: service.name,
  manager,
  system: isSystem,
  database: service.place,
  queues: service.queues,
  url: service.url,
  linger,
  processes: processes.map(({ unit, state, isEnabled, pid, since }) => ({
    unit,
    state,
    enabled: isEnabled,
    pid,
    since: since === null ? null : new Date(since).toISOString(),
  })),
});
