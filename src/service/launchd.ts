// launchd services: agents of a user, or daemons of the system, with a property list for each process.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentText } from './environment-file.ts';
import { plistText } from './launchd-plist.ts';
import type { LogWish, ManagerOptions, ProcessState, ServiceFile, ServiceManager } from './manager.ts';
import { idOf, type Service, type ServiceRecord } from './service.ts';
import { ask, type Environment, lastLine, run } from './tool.ts';

const LOOK_AGAIN_MS = 100;

export class Launchd implements ServiceManager {
  readonly kind = 'launchd';
  readonly isSystem: boolean;
  readonly folder: string;
  private readonly environment: Environment;
  private readonly home: string;
  private readonly secretsFolder: string;
  /** launchd domain: a user's login, or the system. */
  private readonly domain: string;

  constructor({ environment, isSystem, etc = '/etc' }: ManagerOptions) {
    this.environment = environment;
    this.isSystem = isSystem;
    this.home = environment.HOME || homedir();
    this.folder = isSystem ? '/Library/LaunchDaemons' : join(this.home, 'Library/LaunchAgents');
    this.secretsFolder = isSystem
      ? join(etc, 'queuectl')
      : join(environment.XDG_CONFIG_HOME || join(this.home, '.config'), 'queuectl');
    this.domain = isSystem ? 'system' : `gui/${process.getuid?.() ?? 0}`;
  }

  async trouble(): Promise<string | null> {
    const { code, stderr } = await ask(this.environment, 'launchctl', 'print', this.domain);
    return code === 0 ? null : lastLine(stderr) || `launchctl exited with code ${code}`;
  }

  files(service: Service): ServiceFile[] {
    const hasSecrets = Object.keys(service.secrets).length > 0;
    const secrets = this.secretsOf(service);
    const folder = this.isSystem ? null : this.home;
    const agent = { folder, environmentFile: hasSecrets ? secrets : null };
    return [
      ...this.unitsOf(service).map((label) => ({
        path: this.plistOf(label),
        text: plistText(service, { label, ...agent }),
        mode: 0o644,
      })),
      ...(hasSecrets
        ? [{ path: secrets, text: environmentText(service.secrets), mode: 0o600, owner: service.runAs }]
        : []),
    ];
  }

  filesOf(installed: ServiceRecord): string[] {
    return [...this.unitsOf(installed).map((label) => this.plistOf(label)), this.secretsOf(installed)];
  }

  unitsOf(service: Pick<ServiceRecord, 'role' | 'name' | 'count'>): string[] {
    const id = idOf(service);
    return service.role === 'server' ? [id] : Array.from({ length: service.count }, (_, i) => `${id}.${i + 1}`);
  }

  isRecordFile(name: string): boolean {
    return /^queuectl-(worker.*\.1|server.*)\.plist$/.test(name);
  }

  /** Changes apply only after a reload, which has to wait for running jobs. */
  async start(units: readonly string[], isChanged: boolean): Promise<void> {
    for (const unit of units) {
      if (isChanged) await this.unload(unit);
      await this.run('enable', `${this.domain}/${unit}`);
      if (!(await this.isLoaded(unit))) await this.run('bootstrap', this.domain, this.plistOf(unit));
    }
  }

  async stop(units: readonly string[]): Promise<void> {
    await Promise.all(units.map((unit) => this.unload(unit)));
  }

  async forget(): Promise<void> {}

  async states(units: readonly string[]): Promise<ProcessState[]> {
    const disabled = await ask(this.environment, 'launchctl', 'print-disabled', this.domain);
    return Promise.all(units.map((unit) => this.stateOf(unit, disabled.stdout)));
  }

  async linger(): Promise<null> {
    return null;
  }

  logCommand({ log }: ServiceRecord, { follow, lines }: LogWish): string[] {
    return ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), log];
  }

  private async stateOf(unit: string, disabled: string): Promise<ProcessState> {
    const { code, stdout } = await ask(this.environment, 'launchctl', 'print', `${this.domain}/${unit}`);
    const isDisabled = new RegExp(`"${unit}" => (disabled|true)`).test(disabled);
    if (code !== 0) return { unit, state: 'stopped', isEnabled: !isDisabled, pid: null, since: null };
    const [, pid] = /^\s*pid = (\d+)/m.exec(stdout) ?? [];
    const isFailed = /^\s*last exit code = [1-9]/m.test(stdout);
    return {
      unit,
      state: pid !== undefined ? 'running' : isFailed ? 'failed' : 'stopped',
      isEnabled: !isDisabled,
      pid: pid === undefined ? null : Number(pid),
      since: pid === undefined ? null : await this.startOf(pid),
    };
  }

  private async startOf(pid: string): Promise<number | null> {
    const { stdout } = await ask(this.environment, 'ps', '-o', 'lstart=', '-p', pid);
    const at = Date.parse(`${stdout.trim()} UTC`);
    return Number.isNaN(at) ? null : at;
  }

  /** Sends TERM and returns immediately; the process may take as long as its jobs. */
  private async unload(unit: string): Promise<void> {
    if (!(await this.isLoaded(unit))) return;
    await ask(this.environment, 'launchctl', 'bootout', `${this.domain}/${unit}`);
    while (await this.isLoaded(unit)) await sleep(LOOK_AGAIN_MS);
  }

  private async isLoaded(unit: string): Promise<boolean> {
    return (await ask(this.environment, 'launchctl', 'print', `${this.domain}/${unit}`)).code === 0;
  }

  private run(...args: readonly string[]): Promise<string> {
    return run(this.environment, 'launchctl', ...args);
  }

  private plistOf(label: string): string {
    return join(this.folder, `${label}.plist`);
  }

  private secretsOf(service: Pick<ServiceRecord, 'role' | 'name'>): string {
    return join(this.secretsFolder, `${idOf(service)}.env`);
  }
}
