// Job counts of all queues: loaded once, then updated by server events.

import { effect, signal } from '@preact/signals';
import { get } from './api.ts';
import { changes, onEvent, wantTopic } from './live.ts';
import { session } from './session.ts';
import type { Stats } from './types.ts';

export const stats = signal<Stats | null>(null);
export const statsProblem = signal<unknown>(null);

export function startStats(): void {
  wantTopic('stats');
  wantTopic('jobs'); // brings 'changed'
  onEvent<Stats>('stats', (latest) => {
    stats.value = latest;
    statsProblem.value = null;
  });
  effect(() => {
    if (changes.value >= 0 && session.value) void loadStats();
  });
}

export async function loadStats(): Promise<void> {
  try {
    stats.value = await get<Stats>('/stats');
    statsProblem.value = null;
  } catch (error) {
    statsProblem.value = error;
  }
}
