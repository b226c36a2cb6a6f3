// systemd services: units of a user, or of the system. A worker is a template with the instances 1 to N.

import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { environmentText } from './environment-file.ts';
import type { LogWish, ManagerOptions, ProcessState, ServiceFile, ServiceManager } from './manager.ts';
import { idOf, type Service, type ServiceRecord } from './service.ts';
import { unitText } from './systemd-unit.ts';
import { type Answer, ask, type Environment, lastLine, run } from './tool.ts';

const PROPERTIES = 'Id,UnitFileState,ActiveState,SubState,MainPID,ActiveEnterTimestamp';

const STATES: Readonly<Record<string, ProcessState['state']>> = {
  active: 'running',
  reloading: 'running',
  activating: 'starting',
  deactivating: 'stopping',
  inactive: 'stopped',
  failed: 'failed',
};

export class Systemd implements ServiceManager {
  readonly kind = 'systemd';
  readonly isSystem: boolean;
  readonly folder: string;
  private readonly environment: Environment;
  private readonly secretsFolder: string;

  constructor({ environment, isSystem, etc = '/etc' }: ManagerOptions) {
    const config = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
    this.environment = environment;
    this.isSystem = isSystem;
    this.folder = isSystem ? join(etc, 'systemd/system') : join(config, 'systemd/user');
    this.secretsFolder = join(isSystem ? etc : config, 'queuectl');
  }

  async trouble(): Promise<string | null> {
    const { code, stderr } = await this.ask('show', '--property=Version');
    if (code === 0) return null;
    const problem = lastLine(stderr) || `systemctl exited with code ${code}`;
    return (await this.isOnlyForOthers()) ? withoutSession(problem) : problem;
  }

  /** After sudo or su, a user has no access to their own service manager. */
  private async isOnlyForOthers(): Promise<boolean> {
    if (this.isSystem) return false;
    return (await ask(this.environment, 'systemctl', 'show', '--property=Version')).code === 0;
  }

  files(service: Service): ServiceFile[] {
    const [unit = '', secrets = ''] = this.filesOf(service);
    const hasSecrets = Object.keys(service.secrets).length > 0;
    return [
      { path: unit, text: unitText(service, hasSecrets ? secrets : null), mode: 0o644 },
      ...(hasSecrets ? [{ path: secrets, text: environmentText(service.secrets), mode: 0o600 }] : []),
    ];
  }

  filesOf(service: Pick<ServiceRecord, 'role' | 'name'>): string[] {
    const id = idOf(service);
    const file = `${id}${service.role === 'worker' ? '@' : ''}.service`;
    return [join(this.folder, file), join(this.secretsFolder, `${id}.env`)];
  }

  unitsOf(service: Pick<ServiceRecord, 'role' | 'name' | 'count'>): string[] {
    const id = idOf(service);
    if (service.role === 'server') return [`${id}.service`];
    return Array.from({ length: service.count }, (_, i) => `${id}@${i + 1}.service`);
  }

  isRecordFile(name: string): boolean {
    return /^queuectl-(worker.*@|server.*)\.service$/.test(name);
  }

  /** A changed unit that is running restarts after its running jobs have finished. */
  async start(units: readonly string[], isChanged: boolean): Promise<void> {
    await this.run('daemon-reload');
    await this.run('enable', ...units);
    await this.ask('reset-failed', ...units); // fails if the unit was never loaded
    if (isChanged) await this.run('--no-block', 'try-restart', ...units);
    await this.run(...(isChanged ? ['--no-block'] : []), 'start', ...units);
  }

  async stop(units: readonly string[]): Promise<void> {
    await this.run('disable', ...units);
    await this.run('stop', ...units);
  }

  async forget(units: readonly string[]): Promise<void> {
    await this.run('daemon-reload');
    await this.ask('reset-failed', ...units); // fails if the unit has not failed
  }

  async states(units: readonly string[]): Promise<ProcessState[]> {
    const { code, stdout } = await this.ask('show', `--property=${PROPERTIES}`, ...units);
    const blocks = code === 0 ? stdout.trim().split(/\n\n+/).map(propertiesIn) : [];
    return units.map((unit, i) => stateFrom(unit, blocks.find(({ Id }) => Id === unit) ?? blocks[i] ?? {}));
  }

  async linger(): Promise<boolean | null> {
    if (this.isSystem) return null;
    const { username } = userInfo();
    const { code, stdout, stderr } = await ask(
      this.environment,
      'loginctl',
      ...['show-user', username, '--property=Linger', '--value'],
    );
    if (code === 0) return stdout.trim() === 'yes';
    return /not logged in or lingering/.test(stderr) ? false : existsSync(`/var/lib/systemd/linger/${username}`);
  }

  logCommand(installed: ServiceRecord, { follow, lines }: LogWish): string[] {
    const units = this.unitsOf(installed).flatMap((unit) => ['--unit', unit]);
    const scope = this.isSystem ? [] : ['--user'];
    return ['journalctl', ...scope, '--lines', String(lines), ...(follow ? ['--follow'] : []), ...units];
  }

  private ask(...args: readonly string[]): Promise<Answer> {
    return ask(this.environment, 'systemctl', ...this.scope, ...args);
  }

  private run(...args: readonly string[]): Promise<string> {
    return run(this.environment, 'systemctl', ...this.scope, ...args);
  }

  private get scope(): string[] {
    return this.isSystem ? [] : ['--user'];
  }
}

function withoutSession(problem: string): string {
  const { username } = userInfo();
  return `the service is running, but ${username} has no login session (${problem}); log in as ${username} directly, not with sudo or su`;
}

const propertiesIn = (block: string): Record<string, string> =>
  Object.fromEntries(block.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));

function stateFrom(unit: string, properties: Readonly<Record<string, string>>): ProcessState {
  const { UnitFileState = '', ActiveState = '', MainPID = '0', ActiveEnterTimestamp = '' } = properties;
  const state = STATES[ActiveState] ?? 'unknown';
  return {
    unit,
    state,
    isEnabled: UnitFileState === '' ? null : UnitFileState.startsWith('enabled'),
    pid: Number(MainPID) || null,
    since: state === 'running' ? timeFrom(ActiveEnterTimestamp) : null,
  };
}

/** Parses 'Tue 2026-11-17 14:37:02 UTC'. */
function timeFrom(text: string): number | null {
  const [, date, clock] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? [];
  return date === undefined ? null : Date.parse(`${date}T${clock}Z`);
}
