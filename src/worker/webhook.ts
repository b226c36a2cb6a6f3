// The job that delivers a webhook runs this program itself, wherever that is on this host, and is told what the settings
// say of webhooks: it needs no way to the queue, whose password it could not know.

import { deliveryAddress } from '../job/hook-job.ts';
import type { Command } from '../job/job.ts';
import type { Settings } from '../settings/settings.ts';

/** `webhook` is the program and arguments that deliver one; null: what the command says is looked for in the PATH. */
export function commandFor(command: Command, webhook: readonly string[] | null): Command {
  const address = webhook && deliveryAddress(command);
  return address ? [...webhook, address] : command;
}

export function webhookVariables(command: Command, settings: Settings): Record<string, string> {
  if (deliveryAddress(command) === null) return {};
  const secret = settings.value('webhook_secret');
  return {
    QUEUECTL_WEBHOOK_ALLOW_PRIVATE: String(settings.value('webhook_allow_private')),
    ...(secret === null ? {} : { QUEUECTL_WEBHOOK_SECRET: String(secret) }),
  };
}
