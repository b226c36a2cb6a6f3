// How busy other programs keep the machine, from /proc. Everything is zero where that is missing.

import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 300;
const [BUSY, STOLEN] = [0.1, 0.02];

interface Ticks {
  readonly all: number;
  readonly idle: number;
  readonly steal: number;
}

function ticks(): Ticks {
  let text = '';
  try {
    text = readFileSync('/proc/stat', 'utf8');
  } catch {} // not Linux
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = text
    .slice(0, text.indexOf('\n'))
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { all: user + nice + system + idle + wait + irq + soft + steal, idle: idle + wait, steal };
}

/** Share of the CPU in use while this program sleeps. */
async function busyShare(): Promise<number> {
  const before = ticks();
  await sleep(LOOK_MS);
  const after = ticks();
  return after.all === before.all ? 0 : 1 - (after.idle - before.idle) / (after.all - before.all);
}

/** Returns the result of `work`, and what disturbed it: '' on a quiet machine. */
export async function watched<T>(work: () => Promise<T>): Promise<{ result: T; noise: string }> {
  const [busyBefore, before] = [await busyShare(), ticks()];
  const result = await work();
  const after = ticks();
  const busy = Math.max(busyBefore, await busyShare());
  const stolen = (after.steal - before.steal) / Math.max(1, after.all - before.all);
  const noise = [busy > BUSY && `busy ${percent(busy)}`, stolen > STOLEN && `stolen ${percent(stolen)}`];
  return { result, noise: noise.filter(Boolean).join(', ') };
}

export async function describeMachine(): Promise<string> {
  const [busy, [load = 0]] = [await busyShare(), loadavg()];
  const cores = availableParallelism();
  const state = `${cores} cores, load ${load.toFixed(2)}, ${percent(busy)} of the CPU used by other programs`;
  return busy > BUSY ? `${state}\nwarning: the machine is busy; trust only ratios, and those with care` : state;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
