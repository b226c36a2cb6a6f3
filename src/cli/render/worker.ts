// Workers as a table, followed by their warnings.

import type { WorkerView } from '../../queue/queue.ts';
import type { Screen } from '../terminal.ts';
import { age, fromNow } from './kit/human.ts';
import type { Style } from './kit/style.ts';
import { type ItemColumn, tableOf } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

const PAINT: Readonly<Record<WorkerView['state'], keyof Pick<Style, 'dim' | 'accent' | 'warn' | 'bad'>>> = {
  idle: 'dim',
  busy: 'accent',
  stopping: 'warn',
  lost: 'bad',
};

export function workerTable(
  workers: readonly WorkerView[],
  now: number,
  screen: Screen,
  isVersionShown = false,
): string {
  const isOneHost = new Set(workers.map(({ host }) => host)).size < 2;
  const columns: ItemColumn<WorkerView>[] = [
    { title: 'id', cell: ({ id }) => id },
    { title: 'state', cell: ({ state }) => screen.style[PAINT[state]](state) },
    { title: 'pid', align: 'right', cell: ({ pid }) => String(pid) },
    { title: 'host', ...(isOneHost ? { spare: 4 } : { gives: true }), cell: ({ host }) => oneLine(host) },
    { title: 'started', spare: 3, cell: ({ startedAt }) => fromNow(startedAt, now) },
    { title: 'heartbeat', spare: 1, cell: ({ lastHeartbeat }) => `${age(now - lastHeartbeat)} ago` },
    { title: 'at once', align: 'right', spare: 5, cell: ({ concurrency }) => String(concurrency) },
    ...(isVersionShown
      ? [{ title: 'version', spare: 6, cell: (worker: WorkerView) => oneLine(worker.version ?? 'older') }]
      : []),
    { title: 'queues', gives: true, spare: 2, cell: ({ queues }) => queues?.join(', ') ?? 'all' },
    { title: 'current jobs', gives: true, cell: ({ running }) => running.join(', ') },
  ];
  return [tableOf(workers, columns, screen), ...notices(workers, screen.style)].join('\n');
}

const notices = (workers: readonly WorkerView[], style: Style): string[] =>
  workers.flatMap(({ id, notice }) => (notice === null ? [] : [style.warn(`! ${id}: ${oneLine(notice)}`)]));
