// Dead jobs grouped by error, as a table.

import type { ErrorGroup } from '../../store/store.ts';
import type { Terminal } from '../terminal.ts';
import { count, fromNow } from './kit/human.ts';
import { oneLine } from './kit/one-line.ts';
import { type Column, table } from './kit/table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'jobs', align: 'right' },
  { title: 'fingerprint' },
  { title: 'newest', spare: 2 },
  { title: 'example' },
  { title: 'error', gives: true, least: 20 },
];

export const errorGroupsText = (
  groups: readonly ErrorGroup[],
  now: number,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): string =>
  table(
    COLUMNS,
    groups.map((group) => [
      count(group.jobs),
      group.fingerprint ?? '',
      fromNow(group.newestAt, now),
      group.exampleId,
      oneLine(group.exampleError ?? ''),
    ]),
    width,
    style,
  );
