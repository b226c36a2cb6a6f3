// The time, as a signal: it ticks once a second while somebody looks, so that ages on the page stay true.

import { signal } from '@preact/signals';

export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1000);
  document.addEventListener('visibilitychange', () => {
    now.value = Date.now();
  });
}
