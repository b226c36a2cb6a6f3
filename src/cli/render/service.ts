// Services as a table, and the changed files of a service.

import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { tokenPath } from '../../server/auth/token-file.ts';
import type { FileChange } from '../../service/installation.ts';
import type { ProcessState } from '../../service/manager.ts';
import { type Service, wordsOf } from '../../service/service.ts';
import type { ServiceView } from '../../service/view.ts';
import type { Terminal } from '../terminal.ts';
import { fromNow, many } from './kit/human.ts';
import type { Style } from './kit/style.ts';
import { type Column, table } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

type Screen = Pick<Terminal, 'style' | 'width'>;

const PAINT: Readonly<Record<ProcessState['state'], keyof Pick<Style, 'dim' | 'good' | 'warn' | 'bad'>>> = {
  running: 'good',
  starting: 'warn',
  stopping: 'warn',
  stopped: 'dim',
  failed: 'bad',
  unknown: 'warn',
};

export function serviceTable(views: readonly ServiceView[], now: number, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: 'unit' },
    { title: 'state' },
    { title: 'enabled', spare: 1 },
    { title: 'pid', align: 'right' },
    { title: 'since', spare: 2 },
    { title: 'queues', gives: true, spare: 3 },
    { title: 'database', gives: true },
  ];
  const rows = views.flatMap(({ service, processes }) =>
    processes.map(({ unit, state, isEnabled, pid, since }) => [
      unit,
      style[PAINT[state]](state),
      isEnabled === null ? 'unknown' : isEnabled ? 'yes' : 'no',
      pid === null ? '' : String(pid),
      since === null ? '' : fromNow(since, now),
      service.role === 'server' ? (service.url ?? '') : (service.queues?.join(', ') ?? 'all'),
      oneLine(service.place),
    ]),
  );
  return table(columns, rows, width, style);
}

export function installedText(
  service: Service,
  changes: readonly FileChange[],
  units: readonly string[],
): string {
  const isSame = changes.every(({ change }) => change === 'unchanged');
  const rest = service.isSystem ? ' --system' : '';
  return [
    isSame ? 'already installed with these settings' : changesText(changes),
    `${many(units.length, 'process').replace(/processs$/, 'processes')} of ${oneLine(service.place)}: ${units.join(', ')}`,
    ...(service.url === null ? [] : [`open ${service.url}; the token is in ${oneLine(tokenOf(service))}`]),
    `queuectl service status · queuectl service logs ${wordsOf(service)}${rest} -f`,
  ].join('\n');
}

/** The token file is next to the log. */
const tokenOf = ({ log }: Service): string => tokenPath({ run: dirname(log) });

export const changesText = (changes: readonly FileChange[]): string =>
  changes.map(({ path, change }) => `${change}  ${oneLine(path)}`).join('\n');

/** Without lingering, the services of a user stop at logout. */
export const lingerLine = (): string =>
  `lingering is off, so the service runs only while you are logged in; to keep it running: loginctl enable-linger ${userInfo().username}`;
