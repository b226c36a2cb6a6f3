// Plays the scenes one after the other and keeps what became of each. One that fails does not keep the others from
// being played: what still works is worth knowing too.

import type { Terminal } from '../terminal.ts';
import { Player, Unexpected } from './player.ts';
import { SCENES, type Scene } from './scenes.ts';
import type { Stage } from './stage.ts';

export interface Played {
  readonly name: string;
  readonly ok: boolean;
  /** What there was to notice, or what went wrong. */
  readonly notice: string;
  readonly duration_ms: number;
  readonly commands: readonly string[];
}

/** Where something hangs, the rest would only hang as well. */
const LONGEST_MS = 45_000;

export async function playAll(stage: Stage, terminal: Terminal, signal: AbortSignal): Promise<Played[]> {
  const played: Played[] = [];
  const deadline = performance.now() + LONGEST_MS;
  for (const [index, scene] of SCENES.entries()) {
    say(terminal, terminal.style.bold(`${index + 1}  ${scene.title}`));
    const result = await play(scene, new Player(stage, terminal), deadline);
    if (signal.aborted) break;
    say(terminal, `   ${verdict(result, terminal)}\n`);
    played.push(result);
  }
  return played;
}

async function play(scene: Scene, player: Player, deadline: number): Promise<Played> {
  const startedAt = performance.now();
  const result = (ok: boolean, notice: string): Played => {
    const { commands } = player;
    return { name: scene.name, ok, notice, duration_ms: Math.round(performance.now() - startedAt), commands };
  };
  if (startedAt > deadline) return result(false, 'not played: what came before took too long');
  try {
    return result(true, await scene.play(player));
  } catch (error) {
    if (error instanceof Unexpected || isAbort(error)) return result(false, error.message);
    throw error;
  }
}

/** A command that took too long, or that Ctrl-C ended. */
const isAbort = (error: unknown): error is Error => error instanceof Error && error.name === 'AbortError';

export const verdict = ({ ok, notice }: Pick<Played, 'ok' | 'notice'>, { style }: Terminal): string =>
  ok ? `${style.good('✓')} ${notice}` : `${style.bad('✗')} ${notice}`;

function say(terminal: Terminal, line: string): void {
  if (!terminal.json) terminal.out(`${line}\n`);
}
