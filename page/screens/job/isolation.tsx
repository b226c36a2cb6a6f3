// The effective isolation of the job with the source of each value, its recipe and its secrets.

import type { ComponentChildren } from 'preact';
import { useResource } from '../../core/resource.ts';
import type { Job, JobDetails, NamedQueue } from '../../core/types.ts';
import { boundsOf, type InForce, inForce, type Setting } from '../../isolation/in-force.ts';

const ENDED = ['completed', 'dead', 'cancelled'];

export function Isolation({ job }: { job: JobDetails }) {
  const bounds = useInForce(job) ?? [];
  if (bounds.length === 0 && job.recipe === null && job.secrets.length === 0) return null;
  return (
    <section class="facts isolation" aria-label="isolation">
      <h2>Isolation {ENDED.includes(job.state) && <span class="muted small">for the next start</span>}</h2>
      <dl>
        {bounds.map((bound) => (
          <Row key={bound.label} label={bound.label}>
            {bound.words} <From job={job} bound={bound} />
          </Row>
        ))}
        {job.recipe !== null && (
          <Row label="recipe">
            <a class="link" href="/recipes">
              {job.recipe}
            </a>
            {Object.entries(job.params ?? {}).map(([name, value]) => (
              <div key={name} class="mono cut" title={`${name}=${value}`}>
                {name}={value}
              </div>
            ))}
          </Row>
        )}
        {job.secrets.length > 0 && (
          <Row label="secrets">
            {job.secrets.map((use) => (
              <div key={use} class="mono">
                {use}
              </div>
            ))}
          </Row>
        )}
      </dl>
    </section>
  );
}

const Row = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** Values of the job itself need no source. */
function From({ job, bound }: { job: JobDetails; bound: InForce }) {
  if (bound.from === 'job') return null;
  const isQueue = bound.from === 'queue';
  return (
    <a
      class="muted small from-link"
      href={isQueue ? `/queues/${encodeURIComponent(job.queue)}` : '/settings?from=stored'}
    >
      · from {isQueue ? `queue ${job.queue}` : 'the settings'}
    </a>
  );
}

/** Returns undefined while loading. */
function useInForce(job: Job): readonly InForce[] | undefined {
  const queue = useResource<NamedQueue>(`/queues/${encodeURIComponent(job.queue)}`).data;
  const { data } = useResource<{ settings: Setting[] }>('/settings');
  if (queue?.queue !== job.queue || !data) return undefined;
  return inForce({ job, queue, settings: boundsOf(data.settings) });
}
