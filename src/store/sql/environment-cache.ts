// Caches environments read from the store. Their IDs are never reused, so entries stay valid. The same ID returns the
// same object while it is cached, so that callers can compare by identity.

import { type Variables, variablesIn } from '../../job/environment/environment.ts';

const MOST = 64;

export class EnvironmentCache {
  private readonly known = new Map<number, Variables>();

  get(id: number): Variables | undefined {
    const found = this.known.get(id);
    if (found) this.put(id, found);
    return found;
  }

  add(id: number, text: string): Variables {
    const variables = variablesIn(text);
    this.put(id, variables);
    return variables;
  }

  /** Moves the entry to the end. The first entry is the least recently used and is removed. */
  private put(id: number, variables: Variables): void {
    this.known.delete(id);
    this.known.set(id, variables);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }
}
