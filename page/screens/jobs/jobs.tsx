// Searches all jobs. The URL holds the search; actions apply to selected or all matching jobs.

import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Screen } from '../../components/screen.tsx';
import { count } from '../../core/format.ts';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { address, hrefOf, queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { BulkBar } from './bulk-bar.tsx';
import { JobForm } from './job-form.tsx';
import { JobTable } from './job-table.tsx';
import { Matching, type Count } from './matching.tsx';
import { type Page, searchedSoFar, searchPage } from './search.ts';
import { SearchLine } from './search-line.tsx';
import { clearSelection } from './selection.ts';
import { SortChoice } from './sort-choice.tsx';
import { StateChips } from './state-chips.tsx';

export default function Jobs() {
  const [filter, sort, after] = [queryOf('filter'), queryOf('sort'), queryOf('after')];
  const page = useResource<Page>(hrefOf('/jobs', { filter, sort, after }), searchPage);
  const matching = useResource<Count>(hrefOf('/jobs/count', { filter }));
  const [isCreating, setCreating] = useState(false);
  const jobs = page.data?.jobs ?? [];
  useEffect(() => clearSelection, [filter]);
  useEffect(() => {
    if (queryOf('new') !== '') setCreating(true);
  }, []);
  useKeys([{ keys: 'n', does: 'new job', part: 'Jobs', run: () => may('enqueuer') && setCreating(true) }]);
  return (
    <Screen title="Jobs" actions={may('enqueuer') && <NewButton onPress={() => setCreating(true)} />}>
      <SearchLine filter={filter} error={isAboutFilter(page.error) ? page.error : null} onSearch={search} />
      <div class="jobs-tools">
        <StateChips filter={filter} onChoose={search} />
        <Matching count={matching.data} />
        <SortChoice sort={sort} />
      </div>
      <BulkBar filter={filter} jobs={jobs} count={matching.data} />
      <div aria-busy={page.isOld}>
        {(page.isOld || !page.data) && <SoFar />}
        <Found page={page.data} error={page.error} filter={filter} onRetry={page.reload} />
      </div>
      <Pages next={page.data?.next ?? null} isFirst={after === ''} />
      {isCreating && <JobForm title="New job" onClose={() => setCreating(false)} />}
    </Screen>
  );
}

const NewButton = ({ onPress }: { onPress: () => void }) => (
  <Button kind="primary" icon="plus" onPress={onPress}>
    New job
  </Button>
);

const SoFar = () =>
  searchedSoFar.value === null ? null : (
    <p class="muted small" role="status">
      Searched {count(searchedSoFar.value)} jobs so far.
    </p>
  );

/** A new search starts on its first page. */
const search = (filter: string): void => setQuery({ filter, after: '' }, 'push');

function Found(props: { page: Page | undefined; error: unknown; filter: string; onRetry: () => void }) {
  const { page, error, filter, onRetry } = props;
  if (error && !isAboutFilter(error)) return <Problem error={error} onRetry={onRetry} />;
  if (!page) return <Loading rows={12} />;
  if (page.jobs.length > 0) return <JobTable key={address.value.query.toString()} jobs={page.jobs} />;
  if (filter === '') {
    return (
      <Empty title="No jobs yet" command="queuectl enqueue 'echo hello'">
        A job is a command that a worker runs, and retries if it fails.
      </Empty>
    );
  }
  return (
    <Empty title="No matching jobs" command={`queuectl list '${filter.replaceAll("'", `'\\''`)}'`}>
      A job must match all words; a,b matches either value. The equivalent command:
    </Empty>
  );
}

export const isAboutFilter = (error: unknown): boolean =>
  ['invalid_filter', 'invalid_cursor'].includes((error as { code?: string } | null)?.code ?? '');

function Pages({ next, isFirst }: { next: string | null; isFirst: boolean }) {
  if (isFirst && next === null) return null;
  return (
    <nav class="pages" aria-label="pages">
      <Button icon="left" disabled={isFirst} onPress={() => setQuery({ after: '' }, 'push')}>
        First
      </Button>
      <Button disabled={next === null} onPress={() => toPage(next ?? '')}>
        Next
      </Button>
    </nav>
  );
}

function toPage(after: string): void {
  setQuery({ after }, 'push');
  scrollTo(0, 0);
}
