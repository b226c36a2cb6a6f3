// --watch: redraws a view in place until Ctrl-C. When piped or with --json, prints it again after each change.

import type { Context, OptionSpecs, Result } from './command.ts';
import { interruptOf } from './interrupt.ts';
import { frame } from './render/kit/frame.ts';
import { clock } from './render/kit/human.ts';
import type { Screen, Terminal } from './terminal.ts';

const REDRAW_MS = 1000;

export const WATCH = {
  watch: {
    kind: 'flag',
    short: 'w',
    help: 'redraw every second until Ctrl-C; with --json, print a line for each change',
  },
} satisfies OptionSpecs;

export interface View {
  readonly now: number;
  readonly data: unknown;
  /** The data to compare with the last view: without values that change only with time. */
  readonly changesWith: unknown;
  readonly text: (screen: Screen) => string;
}

export async function watch(context: Context, look: () => Promise<View>): Promise<Result> {
  const { setTimeout: sleep } = await import('node:timers/promises'); // commands without --watch start faster without it
  const interrupt = interruptOf(context);
  const draw = drawerFor(context);
  while (!interrupt.aborted) {
    draw(await look());
    await sleep(REDRAW_MS, undefined, { signal: interrupt }).catch(() => {});
  }
  if (context.terminal.width !== null && !context.terminal.json) context.terminal.out('\n'); // after the ^C
  return {};
}

type Draw = (view: View) => void;

const drawerFor = ({ terminal }: Context): Draw =>
  terminal.json
    ? onChange(({ data }) => terminal.out(`${JSON.stringify(data)}\n`))
    : terminal.width === null
      ? onChange(({ text }) => terminal.out(`${text(terminal)}\n\n`))
      : (view) => terminal.out(screenful(view, terminal));

function screenful({ now, text }: View, terminal: Terminal): string {
  const { columns, rows } = process.stdout; // read each time, because users resize windows
  const head = terminal.style.dim(`${clock(now)}  press Ctrl-C to stop watching; the workers continue`);
  return frame(`${head}\n\n${text({ ...terminal, width: columns || terminal.width })}`, rows);
}

function onChange(write: Draw): Draw {
  let last = '';
  return (view) => {
    const seen = JSON.stringify(view.changesWith);
    if (seen !== last) write(view);
    last = seen;
  };
}
