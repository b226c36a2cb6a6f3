// What waits in the queue, the next first, and what the next of them waits for.

import { CommandLine } from '../../components/copy.tsx';
import { isCommand, sentence } from '../../core/sentence.ts';
import { Section } from '../../components/screen.tsx';
import { Ago } from '../../components/time.tsx';
import { commandText, count, counted } from '../../core/format.ts';
import { useHeldRows } from '../../components/table/held-rows.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import type { Job, JobDetails, NamedQueue } from '../../core/types.ts';

const SHOWN = 8;

export function Waiting({ queue }: { queue: NamedQueue }) {
  const filter = `queue:${queue.queue} state:pending`;
  const { data } = useResource<{ jobs: Job[] }>(
    hrefOf('/jobs', { filter, sort: 'created', limit: String(SHOWN) }),
  );
  const jobs = data?.jobs.filter((job) => job.queue === queue.queue) ?? [];
  return (
    <Section
      title="Waiting"
      note={counted(queue.pending, 'job')}
      actions={
        queue.pending > jobs.length && (
          <a class="link small" href={hrefOf('/jobs', { filter })}>
            all {count(queue.pending)}
          </a>
        )
      }
    >
      {jobs[0] ? <Found jobs={jobs} first={jobs[0]} /> : <p class="muted wait-reason">Nothing waits here.</p>}
    </Section>
  );
}

function Found({ jobs, first }: { jobs: readonly Job[]; first: Job }) {
  const { rows, held } = useHeldRows(jobs, ({ id }) => id);
  return (
    <>
      <Reasons id={first.id} />
      <div class="table-frame">
        <table class="table">
          <thead class="out-of-sight">
            <tr>
              <th scope="col">id</th>
              <th scope="col">command</th>
              <th scope="col">enqueued</th>
            </tr>
          </thead>
          <tbody {...held}>
            {rows.map((job) => (
              <tr key={job.id}>
                <td class="narrow">
                  <a class="mono link" href={`/jobs/${encodeURIComponent(job.id)}`}>
                    {job.id}
                  </a>
                </td>
                <td class="mono stretch">
                  <div class="cut">{commandText(job.command)}</div>
                </td>
                <td class="right muted narrow">
                  <Ago at={job.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Whatever holds up the oldest holds up the others as well, most of the time. */
function Reasons({ id }: { id: string }) {
  const { data } = useResource<Pick<JobDetails, 'id' | 'waits_for'>>(`/jobs/${encodeURIComponent(id)}/why`);
  const reasons = data?.id === id ? data.waits_for : [];
  if (reasons.length === 0) return null;
  return (
    <div class="why" data-state="pending">
      <ul>
        <li class="muted small">What {id}, the oldest, waits for</li>
        {reasons.map(({ reason, message, hint }) => (
          <li key={reason}>
            {sentence(message)}
            {hint && <Hint hint={hint} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

const Hint = ({ hint }: { hint: string }) =>
  isCommand(hint) ? <CommandLine command={hint} /> : <span class="muted small"> {sentence(hint)}</span>;
