// Deletes data that the server no longer needs: expired sessions, old idempotent responses, and old audit entries.

import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

export const KEEP_ACTIVITY = 10_000;
export const KEEP_ANSWERS_MS = 24 * 3600 * 1000;

export class ForgetAccess implements Chore {
  readonly name = 'forget sessions, answers and activity';
  readonly everyMs = 60_000;
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async runOnce(): Promise<number> {
    const { accounts, activity, idempotency } = this.store;
    const now = this.store.now();
    const sessions = await accounts.forgetSessions(now);
    const answers = await idempotency.forget(now - KEEP_ANSWERS_MS);
    return sessions + answers + (await activity.forget(KEEP_ACTIVITY));
  }
}
