// A hold on a queue that is being moved.

export interface Holds {
  /** Keeps workers from registering, which is the error queue_moving; so is a second hold. Those there are stay. */
  hold(): Promise<Hold>;
}

/** While it is held, no worker can register. It ends with the process that holds it, however that ends. */
export interface Hold {
  /** Whether it has been held all the time; if not, a worker may have registered meanwhile. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}
