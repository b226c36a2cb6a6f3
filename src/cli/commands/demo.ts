// queuectl demo: shows the features of queuectl on a temporary queue and checks each result. Exits with 0 only if all
// checks pass. Leaves no process or directory behind, even if it is interrupted.

import { constants } from 'node:os';
import type { Command, Context, Result } from '../command.ts';
import { type Played, playAll } from '../demo/programme.ts';
import { Stage } from '../demo/stage.ts';
import { duration } from '../render/kit/human.ts';
import type { Style } from '../render/kit/style.ts';
import { exactArguments } from '../required.ts';
import type { Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'demo',
  purpose: 'set up',
  localOnly: 'the demo runs on its own temporary queue: QUEUECTL_SERVER= queuectl demo',
  summary: 'run a 20-second demonstration on a temporary queue',
  usage: [''],
  examples: [
    ['queuectl demo', 'demonstrate retries, priorities, a workflow and a killed worker, and check each'],
    ['queuectl demo --json', 'print the results as JSON; exit code 1 if a check failed'],
  ],
  notes: ['The demo runs in a temporary directory and deletes it at the end. Your queue is not touched.'],
  run: async (context) => {
    exactArguments(context, [], 'demo');
    const { terminal } = context;
    const interrupt = new AbortController();
    const stage = new Stage(context.environment, interrupt.signal);
    const signals = obeySignals(context, stage, interrupt);
    const startedAt = performance.now();
    try {
      if (!terminal.json) terminal.out(`${terminal.style.dim(OPENING)}\n\n`);
      const played = await playAll(stage, terminal, interrupt.signal);
      const tookMs = performance.now() - startedAt;
      if (signals.first === null) return answer(played, tookMs, terminal.style);
    } finally {
      await stage.clear();
    }
    return interrupted(signals.first, terminal);
  },
};

const OPENING = 'Running on a temporary queue, which is deleted at the end. Press Ctrl-C to stop.';

function interrupted(signal: NodeJS.Signals, terminal: Terminal): Result {
  // After a hang-up, there is no terminal.
  if (signal !== 'SIGHUP') terminal.say('interrupted: workers stopped and temporary directory deleted');
  return { exitCode: 128 + constants.signals[signal] };
}

/** The first signal stops the demo; the second does not wait for its jobs. */
function obeySignals(context: Context, stage: Stage, interrupt: AbortController): { first: NodeJS.Signals | null } {
  const signals: { first: NodeJS.Signals | null } = { first: null };
  const stop = (count: number, signal: NodeJS.Signals): void => {
    signals.first ??= signal;
    interrupt.abort();
    if (count > 1) void stage.clear(0);
  };
  context.onInterrupt(stop);
  process.on('SIGHUP', () => stop(1, 'SIGHUP')); // the terminal window was closed
  return signals;
}

function answer(scenes: readonly Played[], tookMs: number, style: Style): Result {
  const failed = scenes.filter(({ ok }) => !ok);
  const ok = failed.length === 0;
  return {
    data: { ok, duration_ms: Math.round(tookMs), scenes },
    text: ok ? allWell(scenes.length, tookMs, style) : notAllWell(failed, scenes.length, style),
    exitCode: ok ? 0 : 1,
  };
}

const allWell = (total: number, tookMs: number, style: Style): string =>
  [
    `${style.good('✓')} All ${total} checks passed in ${duration(tookMs)}. The temporary queue was deleted.`,
    `  Next: queuectl enqueue 'sleep 2' ${style.dim('·')} queuectl worker start ${style.dim('·')} queuectl status`,
  ].join('\n');

const notAllWell = (failed: readonly Played[], total: number, style: Style): string =>
  [
    `${style.bad('✗')} ${failed.length} of ${total} checks failed:`,
    ...failed.map(({ name, notice }) => `  ${name}: ${notice}`),
  ].join('\n');
