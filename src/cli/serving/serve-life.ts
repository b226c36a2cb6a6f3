// The life of a server in this process: what it prints at its start, what runs beside it, and how it ends. One signal stops
// serving and lets jobs finish; a second one ends those and puts them back.

import type { Serving } from '../../server/serve.ts';
import type { Context } from '../command.ts';
import type { WorkerBeside } from './serve-workers.ts';

/** How long requests that are being answered hold up the end. */
const CLOSE_WITHIN_MS = 2000;

export interface ServeWish {
  /** Jobs at once in this process. */
  readonly slots: number;
  readonly opensBrowser: boolean;
}

/** Resolves when it has ended. */
export async function liveUntilStopped(context: Context, serving: Serving, wish: ServeWish): Promise<void> {
  let worker: WorkerBeside | null = null;
  let closeBrowser = (): void => {};
  try {
    worker = wish.slots > 0 ? await startWorker(context, wish.slots) : null;
    const stopped = untilStopped(context, worker);
    await announce(context, serving, wish.slots);
    if (wish.opensBrowser) closeBrowser = await openPage(context, serving.address);
    await stopped;
  } finally {
    closeBrowser();
    await serving.close(CLOSE_WITHIN_MS);
  }
  await worker?.ended;
}

const startWorker = async (context: Context, slots: number): Promise<WorkerBeside> =>
  (await import('./serve-workers.ts')).startWorkerBeside(context, slots);

async function openPage(context: Context, address: string): Promise<() => void> {
  const { openBrowser } = await import('./open-browser.ts');
  return openBrowser((await context.queue()).place, address);
}

/** By a signal, or because its worker cannot work. One that somebody has stopped leaves the server alone. */
function untilStopped(context: Context, worker: WorkerBeside | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (count: number): void => {
      worker?.stop(count);
      resolve();
    };
    context.onInterrupt(stop, ['SIGHUP']);
    worker?.ended.catch(reject);
  });
}

/** Scripts get the address, or an object; people also what to do with it. */
async function announce(context: Context, { url, address }: Serving, slots: number): Promise<void> {
  const { terminal } = context;
  if (terminal.json) return terminal.out(`${JSON.stringify({ url, address, pid: process.pid })}\n`);
  if (terminal.width === null) return terminal.out(`${address}\n`);
  const workers = await (await context.queue()).workers();
  const hasWorkers = workers.some(({ state }) => state !== 'lost');
  const { servingText } = await import('../render/serving.ts');
  terminal.out(`${servingText({ address, slots, hasWorkers }, terminal.style)}\n`);
}
