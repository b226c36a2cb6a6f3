// Measures one `enqueue` from the shell, compared with an empty Node process.

import { spawnSync } from 'node:child_process';
import { inSandbox, launcher, takeTurns } from '../measure.ts';
import { atMost, type Bench, ms } from '../row.ts';

const ROUNDS = 60;

export const bench: Bench = {
  name: 'start-up',
  run: () =>
    inSandbox(async ({ environment, queuectl }) => {
      queuectl(['init']);
      const times = await takeTurns(ROUNDS, {
        enqueue: () => spawnSync(launcher, ['enqueue', 'true'], { env: environment }),
        node: () => spawnSync(process.execPath, ['-e', '0'], { env: environment }),
      });
      return [
        {
          measure: 'one enqueue from the shell',
          against: 'node -e 0, same Node',
          ours: ms(times.enqueue),
          theirs: ms(times.node),
          ...atMost(times.enqueue / times.node, 1.3),
        },
      ];
    }),
};
