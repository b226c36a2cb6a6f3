// The effective isolation of the job with the source of each value, its recipe and its secrets.

import { isFinal } from '../../../src/job/job.ts';
import { type Fact, FactList, variables } from '../../components/facts.tsx';
import { useResource } from '../../core/resource.ts';
import { itemHref } from '../../core/router.ts';
import type { Answer, JobDetails, NamedQueue } from '../../core/types.ts';
import { boundsOf, type InForce, inForce } from '../../isolation/in-force.ts';

export function Isolation({ job }: { job: JobDetails }) {
  const bounds = useInForce(job);
  if (bounds.length === 0 && job.recipe === null && job.secrets.length === 0) return null;
  return (
    <section class="facts isolation" aria-label="isolation">
      <h2>Isolation {isFinal(job.state) && <span class="muted small">for the next start</span>}</h2>
      <FactList
        facts={[
          ...bounds.map((bound): Fact => [bound.label, <Bound key={bound.label} job={job} bound={bound} />]),
          ['recipe', job.recipe && <Recipe name={job.recipe} params={job.params} />],
          [
            'secrets',
            job.secrets.length > 0 &&
              job.secrets.map((use) => (
                <div key={use} class="mono">
                  {use}
                </div>
              )),
          ],
        ]}
      />
    </section>
  );
}

/** Values of the job itself need no source. */
const Bound = ({ job: { queue }, bound: { words, from } }: { job: JobDetails; bound: InForce }) => (
  <>
    {words}{' '}
    {from !== 'job' && (
      <a class="muted small from-link" href={from === 'queue' ? itemHref('queues', queue) : '/settings?from=stored'}>
        · from {from === 'queue' ? `queue ${queue}` : 'the settings'}
      </a>
    )}
  </>
);

const Recipe = ({ name, params }: { name: string; params: JobDetails['params'] }) => (
  <>
    <a class="link" href="/recipes">
      {name}
    </a>
    {variables(params)}
  </>
);

/** Returns an empty list while loading. */
function useInForce(job: JobDetails): readonly InForce[] {
  const queue = useResource<NamedQueue>(itemHref('queues', job.queue)).data;
  const { data } = useResource<Answer<'listSettings'>>('/settings');
  if (queue?.queue !== job.queue || !data) return [];
  return inForce({ job, queue, settings: boundsOf(data.settings) });
}
