import { existsSync, realpathSync } from 'node:fs';
import { type Moved, type MoveProgress, moveQueue } from '../../queue/move.ts';
import { type Place, placeOf } from '../../store/location.ts';
import { Queue } from '../../queue/queue.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { usage } from '../options/options.ts';
import { count, many, manyOf } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  from: { kind: 'text', value: 'TARGET', help: 'database to migrate from (default: the current one)' },
  to: { kind: 'text', value: 'TARGET', help: 'empty database to migrate to; created if it does not exist' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'migrate',
  purpose: 'set up',
  localOnly: 'migrate copies between databases; over HTTP, use queuectl export and queuectl import',
  summary: 'copy the whole queue to another database, for example PostgreSQL',
  usage: ['[--from TARGET] --to TARGET'],
  options: OPTIONS,
  examples: [
    ['queuectl migrate --to postgres://host/database', 'migrate to PostgreSQL'],
    ['queuectl migrate --from postgres://host/db --to queue.db', 'migrate back to a file'],
  ],
  notes: [
    'A database is a file path or a URL: postgres://user@host/database?schema=NAME.',
    'migrate copies jobs with their attempts, output and environments, schedules, limits, recipes, secrets, users, tokens and ' +
      'settings. If both databases have a setting, the source wins. Order, IDs and states are kept, and the source is not changed.',
    'Stop the workers of both databases first; none can start during the migration. If migrate is interrupted, run it again ' +
      'to resume.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'migrate');
    const { options, environment } = context;
    const to = options.text('to');
    if (to === undefined) throw usage('missing --to TARGET', command);
    const from = options.text('from') ?? options.text('db');
    const [here, there] = [placeOf(from, environment), placeOf(to, environment)];
    if (isSame(here, there)) throw usage(`'${here.name}' and '${there.name}' are the same database`, command);
    const source = await Queue.open({ db: here.db, environment, create: false });
    try {
      const target = await Queue.open({ db: there.db, environment });
      try {
        return answer(context, source, target, await move(context, source, target));
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  },
};

/** The logs would be in the same directory, or both names lead to the same file. */
const isSame = (a: Place, b: Place): boolean =>
  a.logs === b.logs || (a.file !== null && b.file !== null && realPath(a.file) === realPath(b.file));

const realPath = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

async function move({ terminal }: Context, source: Queue, target: Queue): Promise<Moved> {
  try {
    return await moveQueue(source, target, (progress) => terminal.progress(lineOf(progress)));
  } finally {
    terminal.progress('');
  }
}

function lineOf({ done, total, waitingFor }: MoveProgress): string {
  if (waitingFor > 0) return `waiting for the lease of ${many(waitingFor, 'lost worker')} to expire`;
  const percent = total === 0 ? '' : `${Math.min(100, Math.floor((done / total) * 100))} %  `;
  return `${percent}${count(done)} of ${many(total, 'job')} copied`;
}

function answer({ terminal }: Context, source: Queue, target: Queue, moved: Moved): Result {
  const { jobs, attempts, settings, schedules, secrets, users, tokens, alreadyThere } = moved;
  const [from, to] = [source.place.name, target.place.name];
  const more = manyOf({ schedule: schedules, secret: secrets, user: users, token: tokens });
  const whole = `${many(jobs, 'job')} with ${many(attempts, 'attempt')} and ${many(settings, 'setting')}`;
  const parts = [whole, ...more].join(', ');
  const before = alreadyThere === 0 ? '' : `; ${many(alreadyThere, 'job')} already copied before`;
  terminal.hint(`use the new database from now on: export QUEUECTL_DB='${to}'`);
  return {
    data: {
      from,
      to,
      jobs,
      attempts,
      settings,
      schedules,
      secrets,
      users,
      tokens,
      already_there: alreadyThere,
    },
    text: `${parts} migrated to ${to}${before}`,
  };
}
