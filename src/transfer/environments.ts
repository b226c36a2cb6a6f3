// Environments by number. Both sides of a transfer keep only so many, and forget the same one when another comes.

import { ENVIRONMENT_SLOTS } from './format.ts';

export class Environments {
  private readonly slots = new Map<string, number>();
  private next = 0;

  /** The number of this environment. New: it has to be written first, and takes the place of what had the number. */
  slotOf(text: string): { readonly slot: number; readonly isNew: boolean } {
    const known = this.slots.get(text);
    if (known !== undefined) return { slot: known, isNew: false };
    const slot = this.next++ % ENVIRONMENT_SLOTS;
    for (const [other, taken] of this.slots) if (taken === slot) this.slots.delete(other);
    this.slots.set(text, slot);
    return { slot, isNew: true };
  }
}
