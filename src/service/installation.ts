// Putting services into the hands of the system and taking them out again. Installing what is installed changes only what
// differs, and a file that queuectl has not written is never touched.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
  /** What the system calls its processes. */
  readonly units: readonly string[];
}

/** Writes what differs and has the system start it. `otherwise`: what to do where nothing keeps services. */
export async function install(
  manager: ServiceManager,
  service: Service,
  otherwise: string,
): Promise<Installed> {
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

/** What installing it would do to each file. Refuses where one is somebody else's. */
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

/** Stops it, lets its running jobs finish, and removes every trace. */
export async function uninstall(manager: ServiceManager, service: ServiceRecord): Promise<FileChange[]> {
  await expectManager(manager, 'find the service files with: queuectl service status');
  const units = manager.unitsOf(service);
  await manager.stop(units);
  const paths = manager.filesOf(service).filter((path) => textOf(path) !== null);
  for (const path of paths) rmSync(path, { force: true });
  await manager.forget(units);
  return paths.map((path) => ({ path, change: 'removed' }));
}

/** By the files in its folder. */
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

/** There whole or not at all, and never readable by more than it is meant for. */
function write({ path, text, mode, owner }: ServiceFile): void {
  const beside = `${path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(beside, text, { mode, flag: 'wx' });
    chmodSync(beside, mode); // whatever the umask is
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
    return []; // nothing was ever installed there
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
