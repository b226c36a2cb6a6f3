// Runs the job that delivers a webhook with this program and the webhook settings. The job needs no access to the
// queue. It has the worker's rights and the signing secret, so no user-provided value reaches it.

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

/** Worker variables for reaching other hosts: proxies and certificates. */
const INHERITED = [
  'PATH', 'LANG', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'SSL_CERT_FILE',
  'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS',
] as const; // biome-ignore format: a list of words

/** Variables that the hook stored in its job. */
const OF_HOOK = ['QUEUECTL_HOOK_EVENT', 'QUEUECTL_HOOK_DELIVERY', 'QUEUECTL_HOOK_BODY', ...TRACE_VARIABLES];

/** `program` delivers a webhook; null looks it up in the PATH. Returns null for other jobs. */
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
