import { fullVersion } from '../../system/build.ts';
import { otherVersions, replaceHint, workerToJson } from '../../report/workers.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';
import type { WorkerView } from '../../queue/queue.ts';
import type { Screen } from '../terminal.ts';
import { age, fromNow } from '../render/kit/human.ts';
import type { Style } from '../render/kit/style.ts';
import { type ItemColumn, tableOf } from '../render/kit/table.ts';
import { oneLine } from '../render/kit/text.ts';

export const command: Command = {
  name: 'worker list',
  purpose: 'look',
  summary: 'list workers and their running jobs',
  usage: [''],
  examples: [
    ['queuectl worker list', 'list all workers on all hosts'],
    ['queuectl worker list --json', 'print all workers as JSON'],
  ],
  notes: ['States: idle, busy, stopping (finishing its running jobs), lost (no heartbeat, jobs not yet taken over).'],
  run: async (context) => {
    exactArguments(context, [], 'worker list');
    const queue = await context.queue();
    const workers = await queue.workers();
    if (workers.length === 0) context.terminal.hint('no worker is running; start one: queuectl worker start');
    const others = otherVersions(workers, fullVersion());
    if (others.length > 0)
      context.terminal.hint(
        `some workers do not run version ${fullVersion()}, as this program; ${replaceHint(others)}`,
      );
    return {
      data: workers.map(workerToJson),
      text: workerTable(workers, queue.now(), context.terminal, others.length > 0),
    };
  },
};

const PAINT: Readonly<Record<WorkerView['state'], keyof Pick<Style, 'dim' | 'accent' | 'warn' | 'bad'>>> = {
  idle: 'dim',
  busy: 'accent',
  stopping: 'warn',
  lost: 'bad',
};

function workerTable(workers: readonly WorkerView[], now: number, screen: Screen, isVersionShown = false): string {
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
