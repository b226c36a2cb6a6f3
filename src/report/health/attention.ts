// Problems that need a user's attention, each with advice and a command. Runs only checks whose cost does not grow with the
// queue; `queuectl doctor` runs all.

import type { Json } from '../../job/wire.ts';
import type { Queue } from '../../queue/queue.ts';
import { checkFlow } from './checks/flow.ts';
import { checkDisk, checkWal } from './checks/machine.ts';
import { checkFiles, checkLogs } from './checks/place.ts';
import { checkQueues, checkWorkers } from './checks/queue.ts';
import type { Check, Verdict } from './checks/verdict.ts';
import { totalsOf } from '../status.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface AttentionItem {
  readonly severity: Severity;
  readonly title: string;
  readonly whatToDo: string | null;
  /** As a user would type it; null if no single command helps. */
  readonly command: string | null;
  /** Dashboard screen with details. */
  readonly link: string | null;
}

const SEVERITIES: Readonly<Record<Verdict, Severity>> = { fail: 'error', warn: 'warning', ok: 'info' };
const GRAVEST_FIRST: readonly Severity[] = ['error', 'warning', 'info'];

/** The dashboard screen about each check; checks without one have no entry. */
const LINKS: Readonly<Record<string, string>> = { workers: '/workers', queues: '/workers', flow: '/queues' };

export async function attentionOf(queue: Queue): Promise<AttentionItem[]> {
  const checks = [
    await checkQueues(queue),
    await checkWorkers(queue),
    await checkFlow(queue),
    await checkDisk(queue.place),
    await checkWal(queue.place),
    await checkFiles(queue.place),
    await checkLogs(queue.place),
  ];
  const items = [...checks.filter(isRemarkable).map(itemOf), ...(await deadJobs(queue))];
  return items.sort((a, b) => GRAVEST_FIRST.indexOf(a.severity) - GRAVEST_FIRST.indexOf(b.severity));
}

/** Passed checks are shown only if they have a hint. */
const isRemarkable = ({ status, hint }: Check): boolean => status !== 'ok' || hint !== null;

function itemOf({ name, status, message, hint, command }: Check): AttentionItem {
  return {
    severity: SEVERITIES[status],
    title: message,
    whatToDo: hint,
    command,
    link: LINKS[name] ?? null,
  };
}

async function deadJobs(queue: Queue): Promise<AttentionItem[]> {
  const { dead } = totalsOf((await queue.overview()).queues);
  if (dead === 0) return [];
  return [
    {
      severity: 'warning',
      title: dead === 1 ? '1 dead job' : `${dead} dead jobs`,
      whatToDo: 'review the errors, then retry or delete the jobs',
      command: 'queuectl dlq list --group-by error',
      link: '/dead',
    },
  ];
}

export const attentionToJson = ({ severity, title, whatToDo, command, link }: AttentionItem): Json => ({
  severity,
  title,
  what_to_do: whatToDo,
  command,
  link,
});
