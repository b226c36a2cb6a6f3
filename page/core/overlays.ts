// The overlays that can be open.

import { type Signal, signal } from '@preact/signals';

export const isPaletteOpen = signal(false);
export const isSheetOpen = signal(false);
export const isDrawerOpen = signal(false);

export const open = (overlay: Signal<boolean>) => (): void => {
  overlay.value = true;
};

export const close = (overlay: Signal<boolean>) => (): void => {
  overlay.value = false;
};
