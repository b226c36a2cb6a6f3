import { QueueError } from '../../errors/errors.ts';
import { SHORTEST_MASKED_BYTES, withoutLineEnd } from '../../job/isolation/secret-value.ts';
import { LARGEST_SECRET_BYTES } from '../../secrets/secrets.ts';
import type { Command, Context } from '../command.ts';
import { askHidden } from '../serving/password.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'secret set',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'store a secret for jobs, read from stdin or a hidden prompt',
  usage: ['NAME'],
  examples: [
    ['queuectl secret set DB_PASSWORD', 'prompt for the value without showing it'],
    [
      'pass show db | queuectl secret set DB_PASSWORD',
      'read the value from stdin, without the trailing newline of a single line',
    ],
    ["queuectl enqueue --secret DB_PASSWORD './backup.sh'", 'pass the secret to a job as a variable'],
    [
      "queuectl enqueue --secret SSH_KEY:file './deploy.sh'",
      'pass the secret to a job as a file; SSH_KEY_FILE contains the path',
    ],
  ],
  notes: [
    'Secrets are encrypted in the database with a key from a separate file, created at first use. Set QUEUECTL_SECRET_KEY_FILE to use another file. Workers on other hosts need a copy of the key file.',
    'No command, HTTP response or export contains the value. In the output of jobs that use the secret, *** replaces the value.',
  ],
  completes: 'secret',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'secret set');
    const value = await valueFrom(context, name);
    // In base64, because secrets may be binary.
    await context.call('setSecret', { name }, { value: value.toString('base64'), encoding: 'base64' });
    if (value.toString().trimEnd().length < SHORTEST_MASKED_BYTES)
      context.terminal.say(
        `secret ${name} is shorter than ${SHORTEST_MASKED_BYTES} bytes, so it is not masked in job output`,
      );
    return { data: { name, is_set: true }, text: `secret ${name} set` };
  },
};

async function valueFrom({ terminal }: Context, name: string): Promise<Buffer> {
  if (terminal.canAsk) {
    const [typed = ''] = await askHidden([`Value of ${name}: `], () => invalid('missing secret value', ''));
    return Buffer.from(typed);
  }
  const { readBounded } = await import('../enqueue/bounded-input.ts');
  const data = await readBounded('-', LARGEST_SECRET_BYTES + 2);
  if (data === null)
    throw invalid(
      `the secret is larger than the limit of ${LARGEST_SECRET_BYTES} bytes`,
      'keep the value in a file instead',
    );
  return Buffer.from(withoutLineEnd(data));
}

const invalid = (problem: string, hint: string): QueueError => new QueueError('invalid_secret', { problem, hint });
