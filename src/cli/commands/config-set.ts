// queuectl config set: stores a setting in the queue. Running workers need no restart.

import { usageError } from '../../errors/errors.ts';
import { isSecretSetting, Settings } from '../../settings/settings.ts';
import { countsAttempts } from '../../text/synonyms/settings.ts';
import type { Command, Context } from '../command.ts';
import { settingText } from '../render/setting.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'config set',
  purpose: 'set up',
  recorded: {
    about: 'first argument',
    detail: ([key = '', value]) => (isSecretSetting(key) ? {} : { value }),
  },
  createsQueue: true,
  summary: 'change a setting; running workers apply it immediately',
  usage: ['KEY VALUE'],
  examples: [
    ['queuectl config set max_retries 5', 'retry each job up to 5 times, for jobs enqueued from now on'],
    ['queuectl config set backoff-base 3', 'use dashes or underscores in setting names'],
    ['queuectl config set max_concurrent_jobs 8', 'run at most 8 jobs at once, across all workers'],
    ['queuectl config set job_timeout none', 'remove the time limit'],
  ],
  completes: 'setting',
  run: async (context) => {
    rejectEquals(context);
    const [key = '', value = ''] = exactArguments(context, ['key', 'value'], 'config set');
    const queue = await context.queue();
    const saved = await queue.setSetting(key, value);
    const shown = new Settings({ [saved.key]: saved.value }).shown(saved.key);
    if ((await queue.settings()).source(saved.key) === 'environment') {
      context.terminal.say(
        `${saved.key} stored, but QUEUECTL_${saved.key.toUpperCase()} in the environment overrides it`,
      );
    }
    return {
      data: { key: saved.key, value: shown, source: 'stored' },
      text: `${saved.key} = ${settingText(saved.key, shown)}${countsAttempts(key) ? ` (${value} attempts in total)` : ''}`,
    };
  },
};

function rejectEquals({ args: [only = '', ...others] }: Context): void {
  const [, key, value] = /^([\w-]+)=(.*)$/.exec(only) ?? [];
  if (key === undefined || others.length > 0) return;
  throw usageError(`missing VALUE: write '${only}' as two arguments`, `queuectl config set ${key} ${value}`);
}
