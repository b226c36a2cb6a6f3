// The interface to the service manager of this machine, systemd or launchd, and its detection.

import type { Service, ServiceRecord } from './service.ts';
import { type Environment, isThere } from './tool.ts';

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Owner; null for the current user. */
  readonly owner?: string | null;
}

export interface ProcessState {
  /** Name in the service manager. */
  readonly unit: string;
  readonly state: 'running' | 'starting' | 'stopping' | 'stopped' | 'failed' | 'unknown';
  /** True if it starts automatically; null if unknown. */
  readonly isEnabled: boolean | null;
  readonly pid: number | null;
  readonly since: number | null;
}

export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd';
  readonly isSystem: boolean;
  /** Directory of service files. */
  readonly folder: string;
  /** Returns why the service manager is unavailable, or null. */
  trouble(): Promise<string | null>;
  /** Returns the files of a service; the first one contains its record. */
  files(service: Service): ServiceFile[];
  /** Returns every file that an installed service may have, including secrets. */
  filesOf(installed: ServiceRecord): string[];
  /** Returns the names of a service's processes. */
  unitsOf(service: Pick<ServiceRecord, 'role' | 'name' | 'count'>): string[];
  /** True if a file of this name may contain a service record. */
  isRecordFile(name: string): boolean;
  /** Starts and enables the units; restarts running ones if changed. Does not wait for stops. */
  start(units: readonly string[], isChanged: boolean): Promise<void>;
  /** Stops and disables the units. Resolves when they have exited, including running jobs. */
  stop(units: readonly string[]): Promise<void>;
  /** Called after files were removed. */
  forget(units: readonly string[]): Promise<void>;
  states(units: readonly string[]): Promise<ProcessState[]>;
  /** True if the user's services run without a login; null if not applicable. */
  linger(): Promise<boolean | null>;
  /** Returns the command that shows their logs. */
  logCommand(installed: ServiceRecord, wish: LogWish): string[];
}

export interface LogWish {
  readonly follow: boolean;
  readonly lines: number;
}

export interface ManagerOptions {
  readonly environment: Environment;
  readonly isSystem: boolean;
  /** Replaces /etc, the location of system services. */
  readonly etc?: string;
}

/** systemd on Linux, launchd on macOS. If neither is available, the systemd files are still useful for display. */
export async function managerHere(options: ManagerOptions): Promise<ServiceManager> {
  const { environment } = options;
  if (!isThere(environment, 'systemctl') && isThere(environment, 'launchctl'))
    return new (await import('./launchd.ts')).Launchd(options);
  return new (await import('./systemd.ts')).Systemd(options);
}
