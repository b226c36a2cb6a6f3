// What lies in front of the screen at the moment.

import { signal } from '@preact/signals';

export const isPaletteOpen = signal(false);
export const isSheetOpen = signal(false);
export const isDrawerOpen = signal(false);
