// In which order jobs are shown.

import { setQuery } from '../../core/router.ts';

const ORDERS: Readonly<Record<string, string>> = {
  '': 'newest first',
  created: 'oldest first',
  '-updated': 'changed last',
  '-priority': 'highest priority',
  next_run: 'next to run',
  '-finished': 'finished last',
  '-duration': 'slowest',
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
