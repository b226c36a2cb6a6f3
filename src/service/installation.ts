// Installs and uninstalls services. Reinstalling changes only what differs, and files not written by queuectl are never
// touched.

import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QueueError } from '../errors/errors.ts';
import type { ServiceFile, ServiceManager } from './manager.ts';
import { recordIn, type Role, type Service, type ServiceRecord, wordsOf } from './service.ts';
import { accountOf } from './account.ts';

export interface FileChange {
  readonly path: string;
  readonly change: 'written' | 'changed' | 'unchanged' | 'removed';
}

export interface Installed {
  readonly changes: readonly FileChange[];
  /** Names of its processes in the service manager. */
  readonly units: readonly string[];
}

/** Writes changed files and starts the service. `otherwise` is the hint if there is no service manager. */
export async function install(manager: ServiceManager, service: Service, otherwise: string): Promise<Installed> {
  const changes = plannedChanges(manager, service);
  await expectManager(manager, otherwise);
  const before = installedBy(manager).find((one) => isSame(one, service));
  const units = manager.unitsOf(service);
  const surplus = before ? manager.unitsOf(before).filter((unit) => !units.includes(unit)) : [];
  if (surplus.length > 0) await manager.stop(surplus);
  const files = manager.files(service);
  for (const { path, change } of changes) {
    const file = files.find((one) => one.path === path);
    if (change === 'removed') rmSync(path, { force: true });
    else if (file && change !== 'unchanged') write(file);
  }
  await manager.start(
    units,
    changes.some(({ change }) => change === 'changed' || change === 'removed'),
  );
  return { changes, units };
}

/** Returns the change to each file. Throws if a file was not written by queuectl. */
export function plannedChanges(manager: ServiceManager, service: Service): FileChange[] {
  const files = manager.files(service);
  const before = installedBy(manager).find((one) => isSame(one, service));
  const left = before ? manager.filesOf(before).filter((path) => textOf(path) !== null) : [];
  const changes = files.map((file) => ({ path: file.path, change: changeOf(file) }));
  const gone = left.filter((path) => !files.some((file) => file.path === path));
  return [...changes, ...gone.map((path) => ({ path, change: 'removed' as const }))];
}

function changeOf({ path, text, mode }: ServiceFile): FileChange['change'] {
  const there = textOf(path);
  if (there === null) return 'written';
  if (mode !== 0o600 && recordIn(there) === null) throw new QueueError('service_not_ours', { path });
  return there === text ? 'unchanged' : 'changed';
}

/** Stops the service, lets running jobs finish, and removes all its files. */
export async function uninstall(manager: ServiceManager, service: ServiceRecord): Promise<FileChange[]> {
  await expectManager(manager, 'find the service files with: queuectl service status');
  const units = manager.unitsOf(service);
  await manager.stop(units);
  const paths = manager.filesOf(service).filter((path) => textOf(path) !== null);
  for (const path of paths) rmSync(path, { force: true });
  await manager.forget(units);
  return paths.map((path) => ({ path, change: 'removed' }));
}

/** Lists services by the files in the manager's directory. */
export function installedBy(manager: ServiceManager): ServiceRecord[] {
  return namesIn(manager.folder)
    .filter((name) => manager.isRecordFile(name))
    .sort()
    .flatMap((name) => recordIn(textOf(join(manager.folder, name)) ?? '') ?? []);
}

export function installedAs(manager: ServiceManager, role: Role, name: string | null): ServiceRecord {
  const found = installedBy(manager).find((one) => isSame(one, { role, name }));
  if (found) return found;
  throw new QueueError('service_not_found', {
    service: wordsOf({ role, name }),
    where: manager.isSystem ? ` as a system service` : '',
  });
}

type Named = Pick<ServiceRecord, 'role' | 'name'>;

const isSame = (a: Named, b: Named): boolean => a.role === b.role && a.name === b.name;

async function expectManager(manager: ServiceManager, hint: string): Promise<void> {
  const problem = await manager.trouble();
  if (problem !== null) throw new QueueError('no_service_manager', { manager: manager.kind, problem, hint });
}

/** Writes atomically, and never with wider permissions than intended. */
function write({ path, text, mode, owner }: ServiceFile): void {
  const beside = `${path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(beside, text, { mode, flag: 'wx' });
    chmodSync(beside, mode); // regardless of the umask
    if (owner) chownSync(beside, ...accountOf(owner).ids);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    const { message } = error as Error;
    throw new QueueError('unwritable_file', { path, problem: message }, { cause: error });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was installed there
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
