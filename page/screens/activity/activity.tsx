// The audit log, newest first, in pages.

import { Button } from '../../components/button.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { hrefOf, queryOf, setQuery } from '../../core/router.ts';
import type { Deed } from '../../core/types.ts';
import { DeedTable } from './deed-table.tsx';

interface Page {
  readonly activity: readonly Deed[];
  readonly next: number | null;
}

const PAGE = '50';

export default function Activity() {
  const after = queryOf('after');
  const { data, error, reload } = useResource<Page>(hrefOf('/activity', { after, limit: PAGE }));
  return (
    <Screen title="Activity">
      <p class="lead">
        Actions of users and programs on the command line and over HTTP. Enqueued jobs are not listed: each
        job records when it was enqueued.
      </p>
      {Boolean(error) && <Problem error={error} onRetry={reload} />}
      {data ? <Filled page={data} isFirst={after === ''} /> : !error && <Loading rows={12} />}
    </Screen>
  );
}

function Filled({ page, isFirst }: { page: Page; isFirst: boolean }) {
  if (page.activity.length === 0 && isFirst) {
    return (
      <Empty title="No activity yet" command="queuectl activity">
        Actions such as cancelling a job, pausing a queue or changing a setting appear here.
      </Empty>
    );
  }
  return (
    <>
      {page.activity.length > 0 ? <DeedTable deeds={page.activity} /> : <Empty title="No older entries" />}
      <Pages next={page.next} isFirst={isFirst} />
      <SameCommands commands={['queuectl activity --limit 50', 'queuectl activity --json']} />
    </>
  );
}

function Pages({ next, isFirst }: { next: number | null; isFirst: boolean }) {
  if (isFirst && next === null) return null;
  return (
    <nav class="pages" aria-label="pages">
      <Button icon="left" disabled={isFirst} onPress={() => toPage('')}>
        Newest
      </Button>
      <Button disabled={next === null} onPress={() => toPage(String(next ?? ''))}>
        Older
      </Button>
    </nav>
  );
}

function toPage(after: string): void {
  setQuery({ after }, 'push');
  scrollTo(0, 0);
}
