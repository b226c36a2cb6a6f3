// What needs a person: what is wrong now, what to do about it, and the command that would help. Only what can be found out at
// a cost that does not grow with the queue; `queuectl doctor` looks deeper.

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
  /** As it would be typed; null: no single one would do. */
  readonly command: string | null;
  /** Where the page shows more of it. */
  readonly link: string | null;
}

const SEVERITIES: Readonly<Record<Verdict, Severity>> = { fail: 'error', warn: 'warning', ok: 'info' };
const GRAVEST_FIRST: readonly Severity[] = ['error', 'warning', 'info'];

/** Of each check: the command that helps, which may be what it hints at, and the page about it. */
const HELP: Readonly<Record<string, { command: (hint: string) => string | null; link: string | null }>> = {
  workers: { command: () => 'queuectl worker list', link: '/workers' },
  queues: { command: (hint) => hint, link: '/workers' },
  flow: { command: (hint) => /^queuectl [^;]*/.exec(hint)?.[0] ?? null, link: '/queues' },
  disk: { command: () => 'queuectl prune', link: null },
  wal: { command: () => 'queuectl doctor', link: null },
  files: { command: (hint) => hint, link: null },
  logs: { command: () => 'queuectl doctor', link: null },
};

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

/** What is in order is worth a word only if there is something to do. */
const isRemarkable = ({ status, hint }: Check): boolean => status !== 'ok' || hint !== null;

function itemOf({ name, status, message, hint }: Check): AttentionItem {
  const help = HELP[name];
  return {
    severity: SEVERITIES[status],
    title: message,
    whatToDo: hint,
    command: hint === null ? null : (help?.command(hint) ?? null),
    link: help?.link ?? null,
  };
}

async function deadJobs(queue: Queue): Promise<AttentionItem[]> {
  const { dead } = totalsOf((await queue.overview()).queues);
  if (dead === 0) return [];
  return [
    {
      severity: 'warning',
      title: dead === 1 ? '1 job is dead' : `${dead} jobs are dead`,
      whatToDo: 'see their errors, then retry or delete them',
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
