// Services as a table, and the changed files of a service.

import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { tokenPath } from '../../server/auth/token-file.ts';
import type { FileChange } from '../../service/installation.ts';
import type { ProcessState } from '../../service/manager.ts';
import { type Service, wordsOf } from '../../service/service.ts';
import type { ServiceView } from '../../service/view.ts';
import type { Screen } from '../terminal.ts';
import { fromNow } from './kit/human.ts';
import type { Style } from './kit/style.ts';
import { tableOf } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

const PAINT: Readonly<Record<ProcessState['state'], keyof Pick<Style, 'dim' | 'good' | 'warn' | 'bad'>>> = {
  running: 'good',
  starting: 'warn',
  stopping: 'warn',
  stopped: 'dim',
  failed: 'bad',
  unknown: 'warn',
};

export const serviceTable = (views: readonly ServiceView[], now: number, screen: Screen): string =>
  tableOf(
    views.flatMap(({ service, processes }) => processes.map((one) => ({ ...one, service }))),
    [
      { title: 'unit', cell: ({ unit }) => unit },
      { title: 'state', cell: ({ state }) => screen.style[PAINT[state]](state) },
      { title: 'enabled', spare: 1, cell: ({ isEnabled }) => yesOrNo(isEnabled) },
      { title: 'pid', align: 'right', cell: ({ pid }) => String(pid ?? '') },
      { title: 'since', spare: 2, cell: ({ since }) => fromNow(since, now) },
      { title: 'queues', gives: true, spare: 3, cell: ({ service }) => queuesOf(service) },
      { title: 'database', gives: true, cell: ({ service }) => oneLine(service.place) },
    ],
    screen,
  );

const yesOrNo = (is: boolean | null): string => (is === null ? 'unknown' : is ? 'yes' : 'no');

const queuesOf = ({ role, url, queues }: Pick<Service, 'role' | 'url' | 'queues'>): string =>
  role === 'server' ? (url ?? '') : (queues?.join(', ') ?? 'all');

export function installedText(service: Service, changes: readonly FileChange[], units: readonly string[]): string {
  const isSame = changes.every(({ change }) => change === 'unchanged');
  const rest = service.isSystem ? ' --system' : '';
  return [
    isSame ? 'already installed with these settings' : changesText(changes),
    `${units.length === 1 ? '1 process' : `${units.length} processes`} of ${oneLine(service.place)}: ${units.join(', ')}`,
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
