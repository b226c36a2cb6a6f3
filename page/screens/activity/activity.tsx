// The audit log, newest first, in pages.

import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Pages } from '../../components/pages.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useResource } from '../../core/resource.ts';
import { hrefOf, queryOf } from '../../core/router.ts';
import type { Answer } from '../../core/types.ts';
import { EntryTable } from './entry-table.tsx';

const PAGE = '50';

export default function Activity() {
  const path = hrefOf('/activity', { after: queryOf('after'), limit: PAGE });
  return (
    <Screen title="Activity">
      <p class="lead">
        Actions of users and programs on the command line and over HTTP. Enqueued jobs are not listed: each job records
        when it was enqueued.
      </p>
      <Loaded from={useResource<Answer<'listActivity'>>(path)} rows={12}>
        {(page) => <Filled page={page} isFirst={queryOf('after') === ''} />}
      </Loaded>
    </Screen>
  );
}

function Filled({ page: { activity, next }, isFirst }: { page: Answer<'listActivity'>; isFirst: boolean }) {
  if (activity.length === 0 && isFirst) {
    return (
      <Empty title="No activity yet" command="queuectl activity">
        Actions such as cancelling a job, pausing a queue or changing a setting appear here.
      </Empty>
    );
  }
  return (
    <>
      {activity.length > 0 ? <EntryTable entries={activity} /> : <Empty title="No older entries" />}
      <Pages next={next === null ? null : String(next)} words={['Newest', 'Older']} />
      <SameCommands commands={['queuectl activity --limit 50', 'queuectl activity --json']} />
    </>
  );
}
