// Plays the scenes one after the other and collects the results. If one fails, the others are still played.

import { ClosedPipe, type Terminal } from '../terminal.ts';
import { Player } from './player.ts';
import { SCENES, type Scene } from './scenes.ts';
import type { Stage } from './stage.ts';

export interface Played {
  readonly name: string;
  readonly ok: boolean;
  /** A summary of the scene, or the error. */
  readonly notice: string;
  readonly duration_ms: number;
  readonly commands: readonly string[];
}

/** After this time, the remaining scenes are skipped. */
const LONGEST_MS = 40_000;

export async function playAll(stage: Stage, terminal: Terminal, interrupt: AbortSignal): Promise<Played[]> {
  const { bold, good, bad } = terminal.style;
  const say = (line: string): void => {
    if (!terminal.json) terminal.out(`${line}\n`);
  };
  const deadline = performance.now() + LONGEST_MS;
  const played: Played[] = [];
  for (const [index, scene] of SCENES.entries()) {
    say(bold(`${index + 1}  ${scene.title}`));
    const result = await play(scene, new Player(stage, terminal), deadline);
    if (interrupt.aborted) break;
    say(`   ${result.ok ? good('✓') : bad('✗')} ${result.notice}\n`);
    played.push(result);
  }
  return played;
}

async function play(scene: Scene, player: Player, deadline: number): Promise<Played> {
  const startedAt = performance.now();
  const result = (ok: boolean, notice: string): Played => {
    const durationMs = Math.round(performance.now() - startedAt);
    return { name: scene.name, ok, notice, duration_ms: durationMs, commands: player.commands };
  };
  if (startedAt > deadline) return result(false, 'skipped: the previous step took too long');
  try {
    return result(true, await scene.play(player));
  } catch (error) {
    if (error instanceof ClosedPipe) throw error; // stdout is closed
    return result(false, (error as Error).message);
  }
}
