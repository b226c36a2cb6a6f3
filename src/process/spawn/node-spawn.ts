// Starts commands with Node's spawn: for a single job, and where no faster way exists.

import { spawn } from 'node:child_process';
import { beginUsage, usageOfNodeChild } from './children-usage.ts';
import { type Exit, exitOf } from './exit.ts';
import { hostClockMs } from '../tree/host-clock.ts';
import { waitedForByNode } from './node-children.ts';
import { type Child, STALE, type Start } from './start.ts';

export function nodeSpawn({ program, args, cwd, inherited, own, input, outputs, status, notAfterMs }: Start): Child {
  const pid = Promise.withResolvers<number>();
  const exit = Promise.withResolvers<Exit>();
  pid.promise.catch(exit.reject);
  try {
    if (hostClockMs() > notAfterMs) throw Object.assign(new Error('too late'), { code: STALE });
    beginUsage();
    const child = waitedForByNode(
      spawn(program, args, {
        cwd: cwd ?? undefined,
        env: { ...inherited, ...own },
        detached: true,
        stdio: [input ?? 'ignore', ...outputs, ...(status === undefined ? [] : [status])],
      }),
    );
    child.once('error', pid.reject);
    child.once('exit', (code, signal) => exit.resolve(exitOf(code, signal, usageOfNodeChild(child.pid ?? 0))));
    if (child.pid !== undefined) pid.resolve(child.pid);
  } catch (error) {
    pid.reject(error);
  }
  return { pid: pid.promise, exit: exit.promise };
}
