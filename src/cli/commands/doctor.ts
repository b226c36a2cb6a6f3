// queuectl doctor: is the installation healthy, and what to do if not. Works when the queue cannot be opened, too.

import { placeOf } from '../../store/location.ts';
import { examine } from '../../report/health/health.ts';
import type { Command, Context, Result } from '../command.ts';
import { version } from '../../system/version.ts';
import { healthText } from '../render/health.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'doctor',
  purpose: 'repair',
  localOnly:
    'it looks at the machine that it runs on: run it where the queue is; queuectl status works from here',
  summary: 'check the installation, the store, the workers and the disk',
  usage: [''],
  examples: [
    ['queuectl doctor', 'what is wrong, and what to do'],
    ['queuectl doctor --json', 'for a monitor'],
  ],
  notes: [
    'Exit code 0 when no check failed, 1 when one did, 3 when there is no queue at --db or QUEUECTL_DB, 5 when the queue cannot be opened.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'doctor');
  const place = placeOf(context.options.text('db'), context.environment);
  const health = await examine(place, version, () => context.localQueue());
  const { ok, checks, error } = health;
  return {
    data: { ok, checks },
    text: healthText(health, context.terminal),
    exitCode: error?.exitCode ?? (ok ? 0 : 1),
  };
}
