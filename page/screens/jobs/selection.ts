// The selected jobs: some on the page, or all that match the filter.

import { computed, signal } from '@preact/signals';

export const selected = signal<ReadonlySet<string>>(new Set());
export const isAllMatching = signal(false);
export const hasSelection = computed(() => isAllMatching.value || selected.value.size > 0);

export function pick(ids: readonly string[], isPicked: boolean): void {
  const next = new Set(selected.value);
  for (const id of ids) {
    if (isPicked) next.add(id);
    else next.delete(id);
  }
  isAllMatching.value = false;
  selected.value = next;
}

export function selectAllMatching(): void {
  isAllMatching.value = true;
}

export function clearSelection(): void {
  selected.value = new Set();
  isAllMatching.value = false;
}
