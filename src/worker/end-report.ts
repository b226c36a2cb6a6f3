// What a worker has to tell of an attempt: what the store records of it, and what is done once that is recorded.

import type { Ended } from '../store/store.ts';
import type { Noted } from './tracing.ts';

/** What there is to tell of an attempt that has ended. */
export interface EndReport extends Ended {
  /** It could not be started for want of something that the machine is short of. */
  readonly isShortage?: boolean;
  /** Where it wrote while it ran, when that is not needed any more once this is reported. */
  readonly journal?: string | undefined;
  /** What is to be told of it once the store knows it. */
  readonly noted?: Noted | undefined;
}
