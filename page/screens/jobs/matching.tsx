// The number of matching jobs.

import { counted } from '../../core/format.ts';

export interface Count {
  readonly count: number;
  readonly is_exact: boolean;
}

export const Matching = ({ count }: { count: Count | undefined }) => (
  <span class="matching muted small" role="status">
    {count &&
      (count.is_exact || count.count > 0) &&
      `${count.is_exact ? '' : 'more than '}${counted(count.count, 'job')}`}
  </span>
);
