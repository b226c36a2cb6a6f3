// Workers as a table, followed by their warnings.

import type { WorkerView } from '../../queue/queue.ts';
import type { Terminal } from '../terminal.ts';
import { age, fromNow } from './kit/human.ts';
import type { Style } from './kit/style.ts';
import { type Column, table } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

type Screen = Pick<Terminal, 'style' | 'width'>;

const PAINT: Readonly<Record<WorkerView['state'], keyof Pick<Style, 'dim' | 'accent' | 'warn' | 'bad'>>> = {
  idle: 'dim',
  busy: 'accent',
  stopping: 'warn',
  lost: 'bad',
};

export function workerTable(workers: readonly WorkerView[], now: number, { style, width }: Screen): string {
  const isOneHost = new Set(workers.map(({ host }) => host)).size < 2;
  const columns: Column[] = [
    { title: 'id' },
    { title: 'state' },
    { title: 'pid', align: 'right' },
    { title: 'host', ...(isOneHost ? { spare: 4 } : { gives: true }) },
    { title: 'started', spare: 3 },
    { title: 'heartbeat', spare: 1 },
    { title: 'at once', align: 'right', spare: 5 },
    { title: 'queues', gives: true, spare: 2 },
    { title: 'current jobs', gives: true },
  ];
  const rows = workers.map((worker) => [
    worker.id,
    style[PAINT[worker.state]](worker.state),
    String(worker.pid),
    oneLine(worker.host),
    fromNow(worker.startedAt, now),
    `${age(now - worker.lastHeartbeat)} ago`,
    String(worker.concurrency),
    worker.queues?.join(', ') ?? 'all',
    worker.running.join(', '),
  ]);
  return [table(columns, rows, width, style), ...notices(workers, style)].join('\n');
}

const notices = (workers: readonly WorkerView[], style: Style): string[] =>
  workers.flatMap(({ id, notice }) => (notice === null ? [] : [style.warn(`! ${id}: ${oneLine(notice)}`)]));
