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

export async function elapsed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Returns how many of `count` things per second `work` does. */
export const rate = async (count: number, work: () => unknown): Promise<number> =>
  (count / (await elapsed(work))) * 1000;

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
  const clear = (): void => {
    spawnSync(launcher, ['worker', 'stop', '--force'], { env: environment }); // fails if the queue was never used
    rmSync(outer, { recursive: true, force: true });
  };
  process.once('exit', clear); // when the benchmark is interrupted
  try {
    return await work({ folder, environment, queuectl });
  } finally {
    process.off('exit', clear);
    clear();
  }
}

/**
 * Without a journal, ext4 takes up to twice the CPU of a whole worker to create files where others were recently
 * removed, as in the previous run. Directories inside one with this attribute are placed elsewhere on the disk.
 */
function unlikeItsNeighbours(folder: string): void {
  spawnSync('chattr', ['+T', folder], { stdio: 'ignore' });
}
