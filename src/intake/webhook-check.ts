// Rejects webhooks whose address is known to be forbidden. Host names are resolved and checked again at delivery.
// Loaded when a hook is set.

import { isIP } from 'node:net';
import { QueueError } from '../errors/errors.ts';
import { HOOK_NAMES, type Hooks, isWebhook } from '../job/flow/hooks.ts';
import type { Settings } from '../settings/settings.ts';
import { isPrivateAddress } from '../webhook/private-addresses.ts';

/** Throws invalid_job. */
export function expectAllowedWebhooks(hooks: readonly Hooks[], settings: Settings): void {
  if (settings.value('webhook_allow_private') === 'on') return;
  for (const called of hooks)
    for (const name of HOOK_NAMES) {
      const target = called[name];
      if (target === undefined || !isWebhook(target)) continue;
      const host = URL.parse(target)?.hostname.replace(/^\[|\]$/g, '') ?? '';
      if (isForbidden(host)) throw forbidden(name, host);
    }
}

const isForbidden = (host: string): boolean =>
  isIP(host) === 0 ? /(?:^|\.)localhost\.?$/i.test(host) : isPrivateAddress(host);

const forbidden = (name: string, host: string): QueueError =>
  new QueueError('invalid_job', {
    problem: `'${name}': webhooks to ${host} are not allowed: it is this host or in a private network`,
    hint: 'ask an admin to allow private addresses: queuectl config set webhook_allow_private on',
  });
