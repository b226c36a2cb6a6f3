// queuectl migrate: moves a queue to another place, such as from a file to PostgreSQL, or back.

import { existsSync, realpathSync } from 'node:fs';
import { type Moved, type MoveProgress, moveQueue } from '../../queue/move.ts';
import { type Place, placeOf } from '../../store/location.ts';
import { Queue } from '../../queue/queue.ts';
import type { Command, Context, Result } from '../command.ts';
import { usage } from '../options/options.ts';
import { count, many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'migrate',
  purpose: 'set up',
  localOnly:
    'it goes from database to database; through a server a queue goes by queuectl export and queuectl import',
  summary: 'move a queue to another place, such as PostgreSQL',
  usage: ['[--from TARGET] --to TARGET'],
  options: {
    from: { kind: 'text', value: 'TARGET', means: 'the queue to move (default: the queue in use)' },
    to: { kind: 'text', value: 'TARGET', means: 'an empty place; made if it is not there' },
  },
  examples: [
    ['queuectl migrate --to postgres://host/database', 'all of it to a server'],
    ['queuectl migrate --from postgres://host/db --to queue.db', 'and back to a file'],
  ],
  notes: [
    'A place is a file, or postgres://user@host/database?schema=NAME.',
    'Moves jobs with their attempts, output and environments, schedules, limits, recipes, secrets, users, tokens and the ' +
      'settings: where both places have a setting, the old one wins. Order, ids and states stay; the old queue is left as it is.',
    'Refused while workers run on either, and none can start meanwhile. Interrupted, it can be run again and ' +
      'goes on where it was.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'migrate');
  const { options, environment } = context;
  const to = options.text('to');
  if (to === undefined) throw usage('where to? --to TARGET', command);
  const from = options.text('from') ?? options.text('db');
  const [here, there] = [placeOf(from, environment), placeOf(to, environment)];
  if (isSame(here, there)) throw usage(`'${here.name}' and '${there.name}' are the same queue`, command);
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
}

/** Their logs would be in the same folder, or they are one file by two names. */
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
  if (waitingFor > 0) return `waiting for the lease of ${many(waitingFor, 'lost worker')} to end`;
  const percent = total === 0 ? '' : `${Math.min(100, Math.floor((done / total) * 100))} %  `;
  return `${percent}${count(done)} of ${many(total, 'job')} moved`;
}

function answer({ terminal }: Context, source: Queue, target: Queue, moved: Moved): Result {
  const { jobs, attempts, settings, schedules, secrets, users, tokens, alreadyThere } = moved;
  const [from, to] = [source.place.name, target.place.name];
  const more = [
    ...(schedules > 0 ? [many(schedules, 'schedule')] : []),
    ...(secrets > 0 ? [many(secrets, 'secret')] : []),
    ...(users > 0 ? [many(users, 'user')] : []),
    ...(tokens > 0 ? [many(tokens, 'token')] : []),
  ];
  const whole = `${many(jobs, 'job')} with ${many(attempts, 'attempt')} and ${many(settings, 'setting')}`;
  const parts = [whole, ...more].join(', ');
  const before = alreadyThere === 0 ? '' : `; ${many(alreadyThere, 'job')} had been moved before`;
  terminal.hint(`to use it from now on: export QUEUECTL_DB='${to}'`);
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
    text: `moved ${parts} to ${to}${before}`,
  };
}
