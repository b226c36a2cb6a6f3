import { POLICY_KEYS } from '../../settings/policy.ts';
import { SETTINGS } from '../../settings/settings.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';
import { tableOf } from '../render/kit/table.ts';

export const command: Command = {
  name: 'policy show',
  purpose: 'set up',
  summary: 'show which commands the policy allows, where and for whom',
  usage: [''],
  examples: [
    ['queuectl policy show', 'show each policy setting with its description'],
    ['queuectl config set policy_shell reject', 'allow programs with arguments only, no shell commands'],
    ["queuectl config set policy_programs '/usr/bin/convert **; rsync -a * backup:*'", 'allow only these programs'],
    ['queuectl config set policy_folders /srv/media', 'allow jobs only in this directory and below'],
    ['queuectl config set policy_recipes_only api', 'allow only recipes over HTTP'],
  ],
  notes: [
    "A pattern matches a program and its arguments word by word: * matches any characters of one word, ** as the last word matches any number of words. An absolute path is compared with the program found in the job's PATH. A bare name is compared with the name as written, so the job's PATH decides which program runs.",
    'The policy is checked when a job is enqueued and again before it starts. It applies to every user of the queue; environment variables cannot override it.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'policy show');
    const settings = await (await context.queue()).settings();
    if (POLICY_KEYS.every((key) => settings.source(key) === 'default'))
      context.terminal.hint('no policy set: all commands are allowed; to set one, see queuectl policy show --help');
    const text = tableOf(
      POLICY_KEYS,
      [
        { title: 'setting', cell: (key) => key },
        { title: 'value', gives: true, cell: (key) => String(settings.value(key) ?? 'any') },
        { title: 'description', gives: true, spare: 1, cell: (key) => SETTINGS[key].help },
      ],
      context.terminal,
    );
    return { data: Object.fromEntries(POLICY_KEYS.map((key) => [key, settings.value(key)])), text };
  },
};
