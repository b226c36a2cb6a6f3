// The job that delivers a webhook runs this program itself, wherever that is on this host, and gets what the settings
// specify about webhooks: it needs no access to the queue, whose password it could not know.
// It has the worker's rights and the secret that signs, so nothing that a user can set reaches it.

import { DELIVERY_PROGRAM, deliveryAddress } from '../../job/flow/delivery.ts';
import { TRACE_VARIABLES } from '../../job/environment/trace-context.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Claimed } from '../../store/store.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface Delivery {
  readonly command: readonly string[];
  readonly inherited: Variables;
  readonly own: Readonly<Record<string, string>>;
}

/** What a program needs to reach other hosts: proxies and certificates, as the worker has them. */
const INHERITED = [
  'PATH', 'LANG', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'SSL_CERT_FILE',
  'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS',
] as const; // biome-ignore format: a list of words

/** What the hook wrote into its job. */
const OF_HOOK = ['QUEUECTL_HOOK_EVENT', 'QUEUECTL_HOOK_DELIVERY', 'QUEUECTL_HOOK_BODY', ...TRACE_VARIABLES];

/** `program` is what delivers a webhook, with its arguments; null: it is looked for in the PATH. Returns null for other jobs. */
export function deliveryOf(
  { job }: Pick<Claimed, 'job'>,
  program: readonly string[] | null,
  environment: Variables,
  settings: Settings,
): Delivery | null {
  const address = deliveryAddress(job);
  if (address === null) return null;
  const secret = settings.value('webhook_secret');
  return {
    command: [...(program ?? DELIVERY_PROGRAM), address],
    inherited: picked(environment, INHERITED),
    own: {
      ...picked(job.env, OF_HOOK),
      QUEUECTL_WEBHOOK_ALLOW_PRIVATE: String(settings.value('webhook_allow_private')),
      ...(secret === null ? {} : { QUEUECTL_WEBHOOK_SECRET: String(secret) }),
    },
  };
}

const picked = (from: Variables, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
