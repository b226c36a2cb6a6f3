// queuectl __webhook ADDRESS: the command of jobs that deliver webhooks. The request is in their environment.

import { problemWithHook } from '../../job/flow/hooks.ts';
import { traceContext } from '../../job/environment/trace-context.ts';
import { type Answer, deliver } from '../../webhook/deliver.ts';
import type { Command, Context, Result } from '../command.ts';
import { usage } from '../options/options.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: '__webhook',
  purpose: 'set up',
  summary: 'deliver a webhook',
  usage: ['ADDRESS'],
  examples: [['queuectl __webhook https://example.com/hook', 'deliver a webhook as a hook job does']],
  run: async (context) => {
    const [address = ''] = exactArguments(context, ['address'], command.name);
    const { environment, terminal } = context;
    const problem = problemWithHook(address)?.problem ?? missing(environment);
    if (problem !== null) throw usage(problem, command);
    try {
      const answer = await deliver({
        address,
        body: environment.QUEUECTL_HOOK_BODY ?? '',
        event: environment.QUEUECTL_HOOK_EVENT ?? '',
        id: environment.QUEUECTL_HOOK_DELIVERY ?? '',
        secret: environment.QUEUECTL_WEBHOOK_SECRET ?? null,
        allowsPrivate: environment.QUEUECTL_WEBHOOK_ALLOW_PRIVATE === 'on',
        traceparent: traceContext(environment.TRACEPARENT, null)?.TRACEPARENT ?? null,
        timestamp: Math.floor(Date.now() / 1000),
      });
      return said(context, answer);
    } catch (error) {
      terminal.say(`not delivered: ${(error as Error).message}`);
      return { exitCode: 1 };
    }
  },
};

const missing = (environment: NodeJS.ProcessEnv): string | null =>
  environment.QUEUECTL_HOOK_BODY === undefined ? 'nothing to deliver: only hook jobs can run this command' : null;

/** The last line shows the result: queuectl displays it with failed jobs. */
function said({ terminal }: Context, { body, line, isAccepted }: Answer): Result {
  if (body.length > 0) terminal.out(body.at(-1) === 10 ? body : `${body}\n`);
  terminal.out(`${line}\n`);
  return { exitCode: isAccepted ? 0 : 1 };
}
