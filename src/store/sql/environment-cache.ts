// Environments that a process has read from its store. Their ids are never used again, so what is here stays true; and
// the same id gives the same object as long as it is cached, so that others can recognise it.

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

  /** At the end: the first one was used longest ago, and goes first. */
  private put(id: number, variables: Variables): void {
    this.known.delete(id);
    this.known.set(id, variables);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }
}
