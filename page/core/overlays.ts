// The overlays that are open.

import { signal } from '@preact/signals';

export const isPaletteOpen = signal(false);
export const isSheetOpen = signal(false);
export const isDrawerOpen = signal(false);
