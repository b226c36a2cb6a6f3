// queuectl secret set: a value that jobs may be given and nobody is shown.

import { QueueError } from '../../errors/errors.ts';
import { SHORTEST_MASKED_BYTES, withoutLineEnd } from '../../job/isolation/secret-value.ts';
import { LARGEST_SECRET_BYTES } from '../../secrets/secrets.ts';
import type { Command, Context, Result } from '../command.ts';
import { askHidden } from '../serving/password.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'secret set',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'keep a secret for jobs: its value comes from stdin, or is asked for',
  usage: ['NAME'],
  examples: [
    ['queuectl secret set DB_PASSWORD', 'asks for it, and shows nothing of it'],
    ['pass show db | queuectl secret set DB_PASSWORD', 'from stdin; the end of a single line is left out'],
    ["queuectl enqueue --secret DB_PASSWORD './backup.sh'", 'the job finds it in that variable'],
    ["queuectl enqueue --secret SSH_KEY:file './deploy.sh'", 'in a file, whose path is in SSH_KEY_FILE'],
  ],
  notes: [
    'Secrets are sealed in the database with a key that is in a file of its own, made at the first use; QUEUECTL_SECRET_KEY_FILE names another place for it. Workers on other hosts need a copy of that file.',
    'The value is shown to nobody: not by show, the API or an export. In the output of a job that was given it, it is replaced by ***.',
  ],
  completes: 'secret',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'secret set');
  const value = await valueFrom(context, name);
  // In base64, as not every key is text.
  await context.call('setSecret', { name }, { value: value.toString('base64'), encoding: 'base64' });
  if (value.toString().trimEnd().length < SHORTEST_MASKED_BYTES)
    context.terminal.say(
      `it has fewer than ${SHORTEST_MASKED_BYTES} bytes, so it is not hidden in what jobs write`,
    );
  return { data: { name, is_set: true }, text: `secret ${name} set` };
}

async function valueFrom({ terminal }: Context, name: string): Promise<Buffer> {
  if (terminal.canAsk) {
    const [typed = ''] = await askHidden([`Value of ${name}: `], () => invalid('no value was given', ''));
    return Buffer.from(typed);
  }
  const { readBounded } = await import('../enqueue/bounded-input.ts');
  const data = await readBounded('-', LARGEST_SECRET_BYTES + 2);
  if (data === null)
    throw invalid(`a secret can have ${LARGEST_SECRET_BYTES} bytes, and this has more`, 'keep it in a file');
  return Buffer.from(withoutLineEnd(data));
}

const invalid = (problem: string, hint: string): QueueError =>
  new QueueError('invalid_secret', { problem, hint });
