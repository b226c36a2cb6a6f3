// queuectl status: how the queue is doing, once or live.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '../../queue.ts';
import { type Status, statusOf, statusToJson } from '../../report/status.ts';
import type { Command, Context, Result } from '../command.ts';
import { frame } from '../render/frame.ts';
import { clock } from '../render/human.ts';
import { statusText } from '../render/status.ts';
import { theseArguments } from '../required.ts';

const REDRAW_MS = 1000;

export const command: Command = {
  name: 'status',
  purpose: 'look',
  summary: 'how many jobs are in which state, and who works on them',
  usage: ['[--queue NAME] [--watch]'],
  options: {
    queue: { kind: 'text', value: 'NAME', means: 'only this queue' },
    watch: {
      kind: 'flag',
      short: 'w',
      means: 'redraw every second until Ctrl-C; with --json a line for each change',
    },
  },
  examples: [
    ['queuectl status', 'a row for each queue'],
    ['queuectl status --watch', 'live'],
    ['queuectl status --json | jq .pending', 'a number for a script'],
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  theseArguments(context, [], 'status');
  const queue = await context.queue();
  if (context.options.has('watch')) return watch(context, queue);
  const status = await statusOf(queue, context.options.text('queue'));
  return { data: statusToJson(status), text: statusText(status, context.terminal) };
}

async function watch(context: Context, queue: Queue): Promise<Result> {
  const interrupted = new AbortController();
  context.onInterrupt(() => interrupted.abort());
  const draw = drawerFor(context);
  while (!interrupted.signal.aborted) {
    draw(await statusOf(queue, context.options.text('queue')));
    await sleep(REDRAW_MS, undefined, { signal: interrupted.signal }).catch(() => {});
  }
  if (context.terminal.width !== null && !context.terminal.json) context.terminal.out('\n'); // behind the ^C
  return {};
}

type Draw = (status: Status) => void;

const drawerFor = ({ terminal }: Context): Draw =>
  terminal.json
    ? onChange((status) => terminal.out(`${JSON.stringify(statusToJson(status))}\n`))
    : terminal.width === null
      ? onChange((status) => terminal.out(`${statusText(status, terminal)}\n\n`))
      : (status) => terminal.out(screenful(status, terminal));

function screenful(status: Status, terminal: Context['terminal']): string {
  const { columns, rows } = process.stdout; // asked anew each time: a window may be resized
  const head = terminal.style.dim(`${clock(status.now)}  Ctrl-C ends this, not the workers`);
  return frame(`${head}\n\n${statusText(status, { ...terminal, width: columns || terminal.width })}`, rows);
}

/** Only the passing of time is no change. */
function onChange(write: Draw): Draw {
  let last = '';
  return (status) => {
    const seen = JSON.stringify({ ...status, now: 0 });
    if (seen !== last) write(status);
    last = seen;
  };
}
