// Runs a server in this process until it is stopped. The first signal stops the server and lets running jobs finish;
// the second stops and requeues them.

import type { Serving } from '../../server/serve.ts';
import type { Context } from '../command.ts';
import type { WorkerBeside } from './serve-workers.ts';

/** How long to wait for requests in progress. */
const CLOSE_WITHIN_MS = 2000;

export interface ServeWish {
  /** The number of jobs to run at once in this process. */
  readonly slots: number;
  readonly opensBrowser: boolean;
}

/** Resolves when the server has stopped. */
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

/** Resolves at a signal, and rejects if the worker fails. The server continues if its worker is stopped. */
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

/** Prints only the URL, or JSON, for scripts, and instructions on a terminal. */
async function announce(context: Context, { url, address }: Serving, slots: number): Promise<void> {
  const { terminal } = context;
  if (terminal.json) return terminal.out(`${JSON.stringify({ url, address, pid: process.pid })}\n`);
  if (terminal.width === null) return terminal.out(`${address}\n`);
  const workers = await (await context.queue()).workers();
  const hasWorkers = workers.some(({ state }) => state !== 'lost');
  const { servingText } = await import('../render/serving.ts');
  terminal.out(`${servingText({ address, slots, hasWorkers }, terminal.style)}\n`);
}
