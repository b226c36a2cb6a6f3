// Searches all jobs. The URL holds the search; actions apply to selected or all matching jobs.

import { useEffect } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Pages } from '../../components/pages.tsx';
import { Screen } from '../../components/screen.tsx';
import { count, counted, shellWord } from '../../core/format.ts';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Answer } from '../../core/types.ts';
import { BulkBar } from './bulk-bar.tsx';
import { JobForm } from './job-form.tsx';
import { JobTable } from './job-table.tsx';
import { type Page, searchedSoFar, searchPage } from './search.ts';
import { SearchLine } from './search-line.tsx';
import { clearSelection } from './selection.ts';
import { StateChips } from './state-chips.tsx';

export default function Jobs() {
  const [filter, sort, after] = [queryOf('filter'), queryOf('sort'), queryOf('after')];
  const page = useResource<Page>(hrefOf('/jobs', { filter, sort, after }), searchPage);
  const matching = useResource<Answer<'countJobs'>>(hrefOf('/jobs/count', { filter }));
  useEffect(() => clearSelection, [filter]);
  useKeys([{ keys: 'n', does: 'new job', part: 'Jobs', run: () => may('enqueuer') && openForm() }]);
  return (
    <Screen
      title="Jobs"
      actions={
        may('enqueuer') && (
          <Button kind="primary" icon="plus" onPress={openForm}>
            New job
          </Button>
        )
      }
    >
      <SearchLine filter={filter} error={isAboutFilter(page.error) ? page.error : null} onSearch={search} />
      <div class="jobs-tools">
        <StateChips filter={filter} onChoose={search} />
        <span class="matching muted small" role="status">
          {matching.data && matchingWords(matching.data)}
        </span>
        <SortChoice sort={sort} />
      </div>
      <BulkBar filter={filter} jobs={page.data?.jobs ?? []} count={matching.data} />
      <div aria-busy={page.isOld}>
        {(page.isOld || !page.data) && <SoFar />}
        <Found
          key={`${filter} ${sort} ${after}`}
          page={page.data}
          error={page.error}
          filter={filter}
          onRetry={page.reload}
        />
      </div>
      <Pages next={page.data?.next ?? null} words={['First', 'Next']} />
      {queryOf('new') !== '' && may('enqueuer') && <JobForm title="New job" onClose={closeForm} />}
    </Screen>
  );
}

const openForm = (): void => setQuery({ new: '1' }, 'push');
const closeForm = (): void => setQuery({ new: '' });

const SoFar = () =>
  searchedSoFar.value === null ? null : (
    <p class="muted small" role="status">
      Searched {count(searchedSoFar.value)} jobs so far.
    </p>
  );

/** Empty if counting stopped before it found a job. */
const matchingWords = ({ count, is_exact }: Answer<'countJobs'>): string =>
  is_exact || count > 0 ? `${is_exact ? '' : 'more than '}${counted(count, 'job')}` : '';

/** A new search starts on its first page. */
const search = (filter: string): void => setQuery({ filter, after: '' }, 'push');

function Found(props: { page: Page | undefined; error: unknown; filter: string; onRetry: () => void }) {
  const { page, error, filter, onRetry } = props;
  if (error && !isAboutFilter(error)) return <Problem error={error} onRetry={onRetry} />;
  if (!page) return <Loading rows={12} />;
  if (page.jobs.length > 0) return <JobTable jobs={page.jobs} />;
  if (filter === '') {
    return (
      <Empty title="No jobs yet" command="queuectl enqueue 'echo hello'">
        A job is a command that a worker runs, and retries if it fails.
      </Empty>
    );
  }
  return (
    <Empty title="No matching jobs" command={`queuectl list ${shellWord(filter)}`}>
      A job must match all words; a,b matches either value. The equivalent command:
    </Empty>
  );
}

const isAboutFilter = (error: unknown): boolean =>
  ['invalid_filter', 'invalid_cursor'].includes((error as { code?: string } | null)?.code ?? '');

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

const SortChoice = ({ sort }: { sort: string }) => (
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
