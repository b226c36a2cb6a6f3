// Numbers environments for a transfer. Both sides keep a bounded number and evict the same one when a new one is added.

import { ENVIRONMENT_SLOTS } from './format.ts';

export class Environments {
  private readonly slots = new Map<string, number>();
  private next = 0;

  /**
   * Returns the number of this environment. A new one must be written first, and replaces the previous holder of the
   * number.
   */
  slotOf(text: string): { readonly slot: number; readonly isNew: boolean } {
    const known = this.slots.get(text);
    if (known !== undefined) return { slot: known, isNew: false };
    const slot = this.next++ % ENVIRONMENT_SLOTS;
    for (const [other, taken] of this.slots) if (taken === slot) this.slots.delete(other);
    this.slots.set(text, slot);
    return { slot, isNew: true };
  }
}
