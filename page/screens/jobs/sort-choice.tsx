// The order of the jobs.

import { setQuery } from '../../core/router.ts';

const ORDERS: Readonly<Record<string, string>> = {
  '': 'newest first',
  created: 'oldest first',
  '-updated': 'recently changed',
  '-priority': 'highest priority first',
  next_run: 'next run first',
  '-finished': 'recently finished',
  '-duration': 'slowest first',
  '-attempts': 'most attempts',
};

export const SortChoice = ({ sort }: { sort: string }) => (
  <label class="sort">
    <span class="out-of-sight">order</span>
    <select
      class="input"
      value={sort}
      onChange={(event) => setQuery({ sort: event.currentTarget.value, after: '' }, 'push')}
    >
      {Object.entries(ORDERS).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  </label>
);
