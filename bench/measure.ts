// Side-by-side timing: contestants take turns, so that noise affects all of them alike.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');
export const launcher = join(root, 'bin', 'queuectl');

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns the median milliseconds of each contestant, in rounds where each runs once. */
export async function takeTurns<Name extends string>(
  rounds: number,
  contestants: Record<Name, () => unknown>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contestants) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const startedAt = performance.now();
      await contestants[name]();
      times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

export interface Sandbox {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Runs queuectl and returns its stdout. Throws if it fails. */
  queuectl(args: readonly string[], input?: string): string;
}

/** Provides a separate queue, and removes it afterwards with its processes. */
export async function inSandbox<T>(
  work: (sandbox: Sandbox) => Promise<T>,
  variables: NodeJS.ProcessEnv = {},
): Promise<T> {
  const outer = mkdtempSync(join(tmpdir(), 'queuectl-bench-'));
  const folder = join(outer, 'home');
  unlikeItsNeighbours(outer);
  mkdirSync(folder);
  const environment = { ...process.env, QUEUECTL_HOME: folder, ...variables };
  const queuectl = (args: readonly string[], input = ''): string => {
    const { status, stdout, stderr } = spawnSync(launcher, args, {
      env: environment,
      input,
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    if (status !== 0) throw new Error(`queuectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  try {
    return await work({ folder, environment, queuectl });
  } finally {
    queuectl(['worker', 'stop', '--force']);
    rmSync(outer, { recursive: true, force: true });
  }
}

/**
 * Without a journal, ext4 takes up to twice the CPU of a whole worker to create files where others were recently
 * removed, as in the previous run. Directories inside one with this attribute are placed elsewhere on the disk.
 */
function unlikeItsNeighbours(folder: string): void {
  spawnSync('chattr', ['+T', folder], { stdio: 'ignore' });
}
