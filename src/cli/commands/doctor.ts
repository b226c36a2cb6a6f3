import { placeOf } from '../../store/location.ts';
import { examine } from '../../report/health/health.ts';
import type { Command } from '../command.ts';
import { thisBuild } from '../../system/build.ts';
import { healthText } from '../render/health.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'doctor',
  purpose: 'repair',
  localOnly:
    'doctor checks the host that it runs on: run it on the host of the database; queuectl status works over HTTP',
  summary: 'check the installation, database, workers and disk',
  usage: [''],
  examples: [
    ['queuectl doctor', 'show problems and how to fix them'],
    ['queuectl doctor --json', 'print all checks as JSON, for monitoring'],
  ],
  notes: [
    'Exit code: 0 if no check failed, 1 if a check failed; 3 if no queue exists at --db or QUEUECTL_DB; 5 if the database cannot be opened.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'doctor');
    const place = placeOf(context.options.text('db'), context.environment);
    const health = await examine(place, thisBuild(), () => context.localQueue());
    const { ok, checks, error } = health;
    return {
      data: { ok, checks },
      text: healthText(health, context.terminal),
      exitCode: error?.exitCode ?? (ok ? 0 : 1),
    };
  },
};
