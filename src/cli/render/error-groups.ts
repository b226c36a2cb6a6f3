// Dead jobs grouped by error, as a table.

import type { ErrorGroup } from '../../store/store.ts';
import type { Screen } from '../terminal.ts';
import { count, fromNow } from './kit/human.ts';
import { oneLine } from './kit/one-line.ts';
import { tableOf } from './kit/table.ts';

export const errorGroupsText = (groups: readonly ErrorGroup[], now: number, screen: Screen): string =>
  tableOf(
    groups,
    [
      { title: 'jobs', align: 'right', cell: ({ jobs }) => count(jobs) },
      { title: 'fingerprint', cell: ({ fingerprint }) => fingerprint ?? '' },
      { title: 'newest', spare: 2, cell: ({ newestAt }) => fromNow(newestAt, now) },
      { title: 'example', cell: ({ exampleId }) => exampleId },
      { title: 'error', gives: true, least: 20, cell: ({ exampleError }) => oneLine(exampleError ?? '') },
    ],
    screen,
  );
