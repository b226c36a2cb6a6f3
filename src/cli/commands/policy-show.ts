// queuectl policy show: what may run in this queue, where and for whom.

import { POLICY_KEYS } from '../../settings/policy.ts';
import { SETTINGS } from '../../settings/settings.ts';
import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';
import { table } from '../render/kit/table.ts';

export const command: Command = {
  name: 'policy show',
  purpose: 'set up',
  summary: 'show what may run in this queue, where and for whom',
  usage: [''],
  examples: [
    ['queuectl policy show', 'each setting, and what it means'],
    ['queuectl config set policy_shell refuse', 'programs with their arguments, no shell'],
    ["queuectl config set policy_programs '/usr/bin/convert **; rsync -a * backup:*'", 'these alone'],
    ['queuectl config set policy_folders /srv/media', 'jobs run there or below'],
    ['queuectl config set policy_recipes_only api', 'over HTTP recipes alone'],
  ],
  notes: [
    'A pattern is a program and its arguments, word by word: * stands for any characters of one word, ** as the last word for any number of words. A program is an absolute path, compared with where it is found in the PATH of the job, or a name, compared with how it is called: those who set that PATH choose what a name means.',
    'Asked when a job is enqueued and again before it is started. The policy holds for everybody who uses the queue; no environment overrides it.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'policy show');
  const settings = await (await context.queue()).settings();
  const said = POLICY_KEYS.map((key) => ({ key, value: settings.value(key), means: SETTINGS[key].means }));
  if (POLICY_KEYS.every((key) => settings.source(key) === 'default'))
    context.terminal.hint(
      'there is no policy: any command may run; queuectl policy show --help says how to set one',
    );
  const columns = [
    { title: 'setting' },
    { title: 'value', gives: true },
    { title: 'meaning', gives: true, spare: 1 },
  ];
  return {
    data: Object.fromEntries(said.map(({ key, value }) => [key, value])),
    text: table(
      columns,
      said.map(({ key, value, means }) => [key, String(value ?? 'any'), means]),
      context.terminal.width,
      context.terminal.style,
    ),
  };
}
