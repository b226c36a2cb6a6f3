// Change notifications for processes that wait, and a change mark for processes that poll.

export interface Wakes {
  /**
   * Calls `listener` after changes that workers should look at, until the returned function is called. Notifications
   * may be lost.
   */
  onWake(listener: () => void): () => void;
  /**
   * Stays the same while nothing in the store changes. It may change without a visible reason. Cheap enough to read
   * several times a second.
   */
  changeMark(): Promise<string>;
}
