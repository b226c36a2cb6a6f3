// Running a part of a flow again.

import type { Rerun } from '../../job/flow/rerun.ts';

export interface Reruns {
  /**
   * All of it or nothing; a job whose state does not allow it (any more) is the error wrong_state. Edges between these jobs,
   * and to groups that some of them are in, are undecided again.
   */
  rerun(rerun: Rerun): Promise<void>;
}
