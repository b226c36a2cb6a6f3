import { usageError } from '../../errors/errors.ts';
import { HOOK_NAMES } from '../../job/flow/hooks.ts';
import { queueToJson } from '../../report/queues.ts';
import type { QueueChange } from '../../queue/queue.ts';
import { dashed } from '../../text/dashed.ts';
import { parseRate } from '../../time/rate.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import {
  givenConfinement,
  givenLimits,
  QUEUE_CONFINEMENT_OPTIONS,
  QUEUE_LIMIT_OPTIONS,
} from '../options/queue-options.ts';
import { queueName, remarkIfMistyped } from '../queue-name.ts';
import { queueDetails } from '../render/queue.ts';

const hookOption = (event: string) => ({
  kind: 'text' as const,
  value: 'HOOK',
  help: `run this command or call this http(s) URL when a job ${event}; none: remove the hook`,
});

const OPTIONS = {
  concurrency: {
    kind: 'text',
    value: 'N',
    help: 'maximum number of jobs running at once, across all workers; none: no limit',
  },
  rate: {
    kind: 'text',
    value: 'N/UNIT',
    help: 'maximum number of jobs started per second, minute, hour or day: 10/s, 100/m; none: no limit',
  },
  burst: {
    kind: 'text',
    value: 'N',
    help: 'maximum number of jobs started at once after an idle period (default: 1)',
  },
  'on-success': hookOption('completes'),
  'on-failure': hookOption('becomes dead or is cancelled'),
  'on-dead': hookOption('becomes dead'),
  ...QUEUE_LIMIT_OPTIONS,
  ...QUEUE_CONFINEMENT_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'queue set',
  purpose: 'set up',
  recorded: { about: 'first argument' },
  createsQueue: true,
  summary: 'set concurrency limits, rate limits, hooks and isolation of a queue',
  usage: [
    'NAME [--concurrency N] [--rate N/UNIT] [--burst N]',
    'NAME [--on-success HOOK] [--on-failure HOOK] ...',
    'NAME [--memory SIZE] [--cpu-time DURATION] ...',
    'NAME [--sandbox PROFILE] [--user NAME]',
  ],
  options: OPTIONS,
  examples: [
    ['queuectl queue set mail --concurrency 2', 'run at most two jobs at once'],
    ['queuectl queue set api --rate 10/s --burst 20', 'start ten jobs a second, in bursts of up to twenty'],
    ['queuectl queue set mail --concurrency none --rate none', 'remove the limits'],
    ['queuectl queue set untrusted --memory 512M --processes 50', 'limit the memory and processes of each job'],
    ['queuectl queue set untrusted --sandbox strict', 'require a sandbox for all jobs of the queue'],
  ],
  notes: ['Running workers apply the change immediately. Running jobs are not affected.'],
  completes: 'queue',
  run: async (context) => {
    const name = queueName(context, 'queue set');
    const [change, hooks, limits] = [changeOf(context), hooksOf(context), givenLimits(context)];
    const confinement = {
      ...givenConfinement(context),
      ...(Object.keys(limits).length > 0 && { limits }),
    };
    const isConfined = Object.keys(confinement).length > 0;
    if (Object.keys(change).length === 0 && hooks === null && !isConfined)
      throw usageError(
        'missing option: nothing to set',
        'use --concurrency N, --rate N/UNIT, --memory SIZE or --on-dead HOOK',
      );
    const queue = await context.queue();
    await remarkIfMistyped(context, queue, name);
    await queue.queues.set(name, {
      limit: change,
      ...(hooks && { hooks }),
      ...(isConfined && { confinement }),
    });
    const view = await (await queue.reports()).queue(name);
    return { data: queueToJson(view), text: queueDetails(view, queue.now(), context.terminal) };
  },
};

function changeOf({ options }: Context<typeof OPTIONS>): QueueChange {
  const [concurrency, rate, burst] = [options.text('concurrency'), options.text('rate'), options.text('burst')];
  return {
    ...(concurrency === undefined ? {} : { concurrency: wholeNumber('--concurrency', concurrency) }),
    ...(rate === undefined ? {} : { ratePerSecond: rateOf(rate) }),
    ...(burst === undefined ? {} : { burst: wholeNumber('--burst', burst) }),
    ...(rate === 'none' && burst === undefined ? { burst: null } : {}),
  };
}

/** Returns null if no hook is given. `none` removes a hook. */
function hooksOf({ options }: Context<typeof OPTIONS>): Record<string, string | null> | null {
  const given = HOOK_NAMES.flatMap((name): [string, string | null][] => {
    const text = options.text(dashed(name));
    return text === undefined ? [] : [[name, text === 'none' ? null : text]];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}

const MOST = 1_000_000;

function wholeNumber(flag: string, text: string): number | null {
  if (text === 'none') return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MOST) return value;
  throw usageError(
    `${flag} must be a whole number from 1 to ${MOST}, not '${text}'`,
    `stop a queue with queuectl queue pause; remove the limit with ${flag} none`,
  );
}

function rateOf(text: string): number | null {
  if (text === 'none') return null;
  const rate = parseRate(text);
  if (rate !== null && rate <= MOST) return rate;
  throw usageError(`invalid rate '${text}'`, 'use a number and a unit: 10/s, 100/m, 5/h, 1/d');
}
