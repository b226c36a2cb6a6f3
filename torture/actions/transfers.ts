// Export, import and migrate commands, each killed and restarted until it finishes.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import type { Arena } from '../arena.ts';
import type { Chance } from '../chance.ts';
import { type Action, someCommand } from './action.ts';

const TRIES = 12;
/** From this attempt on, the command is not killed: a failure is its own. */
const LAST_KILLS = 5;
const JOBS = 60;

/** An exported file must be complete, whenever the command was killed. */
export const exportAll: Action = (arena, _, chance) =>
  arena.alone('export', async () => {
    const file = join(arena.folder, 'export.ndjson');
    await arena.command(['export', '--all', '--force', file], chance.between(50, 800));
    if (!existsSync(file)) return;
    arena.transfers++;
    const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    if (!last.includes('"end"'))
      arena.problems.push({
        what: `an export that was killed left a file that ends with ${last.slice(0, 80)}`,
      });
  });

/** Imports jobs of another queue into this one. */
export const importSome: Action = (arena, queue, chance) =>
  arena.alone('import', async () => {
    const number = arena.nextNumber();
    const side = join(arena.folder, `import-${number}`);
    const file = join(side, 'jobs.ndjson');
    const ids = Array.from({ length: 20 }, (_, i) => `imported-${number}-${i}`);
    try {
      const source = await Queue.open({ db: join(side, 'queue.db'), environment: {}, cwd: arena.folder });
      await source.enqueue(
        ids.map((id, i) => ({
          id,
          command: someCommand(arena, chance),
          max_retries: 1,
          ...after(ids[i - 1]),
        })),
      );
      await source.close();
      await arena.command(['export', '--all', '--force', file], null, {
        QUEUECTL_DB: join(side, 'queue.db'),
      });
      for (const id of ids) arena.doubtful.add(id);
      if (!(await insist(arena, chance, ['import', '--jobs-only', '--skip-existing', file]))) return;
      const there = await queue.getAll(ids);
      arena.transfers++;
      if (there.length < ids.length)
        arena.problems.push({ what: `import ${number} stored ${there.length} of ${ids.length} jobs` });
    } finally {
      rmSync(side, { recursive: true, force: true });
    }
  });

const after = (id: string | undefined) => (id === undefined ? {} : { depends_on: [id] });

/** Migrates a queue without workers to an empty one. */
export const migrateSide: Action = (arena, _, chance) =>
  arena.alone('migrate', async () => {
    const number = arena.nextNumber();
    const side = join(arena.folder, `migrate-${number}`);
    const [from, to] = [join(side, 'queue.db'), arena.sideQueue(number)];
    const ids = Array.from({ length: JOBS }, (_, i) => `moved-${number}-${i}`);
    try {
      const source = await Queue.open({ db: from, environment: {}, cwd: arena.folder });
      await source.enqueue(ids.map((id, i) => ({ id, command: 'true', group: 'g', ...after(ids[i - 1]) })));
      await source.close();
      const [here, there] = chance.happens(0.5) ? [from, to] : [from, join(side, 'other', 'queue.db')];
      if (!(await insist(arena, chance, ['migrate', '--from', here, '--to', there]))) return;
      const target = await Queue.open({ db: there, environment: arena.environment });
      const moved = await target.list({ sort: 'created', descending: false, limit: null });
      await target.close();
      arena.transfers++;
      const wrong = moved.filter(({ id, dependsOn }, i) => id !== ids[i] || dependsOn[0]?.on !== ids[i - 1]);
      if (moved.length !== JOBS || wrong.length > 0)
        arena.problems.push({
          what: `migrate ${number} moved ${moved.length} of ${JOBS} jobs, ${wrong.length} of them wrong`,
        });
    } finally {
      rmSync(side, { recursive: true, force: true });
      await arena.removeSideQueue(number);
    }
  });

/** Returns true if the command finished. The database may be locked, unreachable or full meanwhile. */
async function insist(arena: Arena, chance: Chance, argv: readonly string[]): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const killAfterMs = tries < LAST_KILLS ? chance.between(30, 700) : null;
    const { code, stderr } = await arena.command(argv, killAfterMs);
    if (code === 0) return true;
    if (code === 2 || code === 4) {
      writeFileSync(join(arena.folder, `${argv[0]}-${arena.nextNumber()}.err`), stderr);
      arena.problems.push({ what: `${argv[0]} cannot be resumed: ${stderr.trim()}`, at: Date.now() });
      return false;
    }
  }
  return false;
}
