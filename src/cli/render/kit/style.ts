// Terminal styles: one accent colour, and colours for states, which are always also named.

import type { JobState } from '../../../job/job.ts';

export type Paint = (text: string) => string;

export interface Style {
  readonly dim: Paint;
  readonly bold: Paint;
  readonly accent: Paint;
  readonly good: Paint;
  readonly warn: Paint;
  readonly bad: Paint;
  state(state: JobState): Paint;
}

const ansi =
  (open: number, close: number): Paint =>
  (text) =>
    `\u001b[${open}m${text}\u001b[${close}m`;

const asIs: Paint = (text) => text;

export function styleFor(hasColour: boolean): Style {
  const paint = (open: number, close: number): Paint => (hasColour ? ansi(open, close) : asIs);
  const style = {
    dim: paint(2, 22),
    bold: paint(1, 22),
    accent: paint(36, 39),
    good: paint(32, 39),
    warn: paint(33, 39),
    bad: paint(31, 39),
  };
  const states: Record<JobState, Paint> = {
    blocked: style.dim,
    pending: asIs,
    processing: style.accent,
    failed: style.warn,
    completed: style.good,
    dead: style.bad,
    cancelled: style.dim,
  };
  return { ...style, state: (state) => states[state] };
}
