// What keeps services on this machine, systemd or launchd: what both have to do, and which of them is here.

import type { Service, ServiceRecord } from './service.ts';
import { type Environment, isThere } from './tool.ts';

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Its owner; null: the user who writes it. */
  readonly owner?: string | null;
}

/** One process of a service, as the system sees it. */
export interface ProcessState {
  /** What the system calls it. */
  readonly unit: string;
  readonly state: 'running' | 'starting' | 'stopping' | 'stopped' | 'failed' | 'unknown';
  /** Whether it starts by itself; null: unknown. */
  readonly isEnabled: boolean | null;
  readonly pid: number | null;
  readonly since: number | null;
}

export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd';
  readonly isSystem: boolean;
  /** The folder whose files are the services. */
  readonly folder: string;
  /** Why it cannot be spoken to; null: it can. */
  trouble(): Promise<string | null>;
  /** What it needs to have of a service; the first one has its record. */
  files(service: Service): ServiceFile[];
  /** Every file it may have of one that is installed, those of secrets included. */
  filesOf(installed: ServiceRecord): string[];
  /** What it calls the processes of a service. */
  unitsOf(service: Pick<ServiceRecord, 'role' | 'name' | 'count'>): string[];
  /** Whether a file of its folder may be the record of one of our services. */
  isRecordFile(name: string): boolean;
  /** Has these started, now and whenever their time comes; restarts those in `changed` that run. Stops are not waited for. */
  start(units: readonly string[], isChanged: boolean): Promise<void>;
  /** Stops them for good. Resolves when they have ended, running jobs included. */
  stop(units: readonly string[]): Promise<void>;
  /** After files were removed. */
  forget(units: readonly string[]): Promise<void>;
  states(units: readonly string[]): Promise<ProcessState[]>;
  /** Whether services of the user go on without a login; null: that is no question here. */
  linger(): Promise<boolean | null>;
  /** The command that shows what they wrote. */
  logCommand(installed: ServiceRecord, wish: LogWish): string[];
}

export interface LogWish {
  readonly follow: boolean;
  readonly lines: number;
}

export interface ManagerOptions {
  readonly environment: Environment;
  readonly isSystem: boolean;
  /** In place of /etc, where services of the system are. */
  readonly etc?: string;
}

/** Linux has the one, macOS the other; where there is neither, what the one would be told is still of use. */
export async function managerHere(options: ManagerOptions): Promise<ServiceManager> {
  const { environment } = options;
  if (!isThere(environment, 'systemctl') && isThere(environment, 'launchctl'))
    return new (await import('./launchd.ts')).Launchd(options);
  return new (await import('./systemd.ts')).Systemd(options);
}
