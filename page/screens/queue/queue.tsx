// A named queue with its job counts, limits, waiting jobs and actions.

import type { ComponentChildren } from 'preact';
import { type Fact, FactList, Facts, WhenAndAgo } from '../../components/facts.tsx';
import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Figures } from '../../components/figures.tsx';
import { Meter } from '../../components/meter.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { rateText } from '../../../src/time/rate.ts';
import { count, shellWord } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { itemHref, type Parameters } from '../../core/router.ts';
import { type NamedQueue, STATES } from '../../core/types.ts';
import { isFull } from '../queues/limits.ts';
import { QueueTags } from '../queues/queue-tags.tsx';
import { QueueButtons } from './queue-buttons.tsx';
import { Waiting } from './waiting.tsx';
import { limitLabel, LIMITS, limitWords } from '../../isolation/limits.ts';

export default function QueueScreen({ parameters }: { parameters: Parameters }) {
  const name = parameters.name ?? '';
  const { data, error, reload } = useResource<NamedQueue>(itemHref('queues', name));
  const queue = data?.queue === name ? data : undefined;
  if (queue) return isUnknown(queue) ? <Unknown queue={queue} /> : <Loaded queue={queue} />;
  return <Screen title={name}>{error ? <Problem error={error} onRetry={reload} /> : <Loading rows={8} />}</Screen>;
}

/** The server responds for any name: the first job or setting creates a queue. */
const isUnknown = (queue: NamedQueue): boolean =>
  STATES.every((state) => queue[state] === 0) &&
  queue.paused_at === null &&
  !queue.draining &&
  queue.queue !== 'default' &&
  [queue.concurrency, queue.rate_per_second, queue.sandbox, queue.user, queue.limits].every((set) => set === null) &&
  Object.keys(queue.hooks).length === 0;

const Unknown = ({ queue }: { queue: NamedQueue }) => (
  <Screen title={queue.queue} actions={<QueueButtons queue={queue} isUnknown />}>
    <Empty
      title={`Queue ${queue.queue} not found`}
      command={`queuectl enqueue --queue ${shellWord(queue.queue)} 'echo hello'`}
    >
      The first job or setting creates the queue.{' '}
      <a class="link" href="/queues">
        All queues
      </a>
    </Empty>
  </Screen>
);

function Loaded({ queue }: { queue: NamedQueue }) {
  return (
    <Screen title={`Queue ${queue.queue}`} heading={<Heading queue={queue} />} actions={<QueueButtons queue={queue} />}>
      <Figures counts={queue} filter={`queue:${queue.queue}`} />
      <div class="two-columns">
        <div>
          <Waiting queue={queue} />
          <SameCommands commands={commandsOf(queue)} />
        </div>
        <div>
          <Facts facts={factsOf(queue)} />
          <QueueIsolation queue={queue} />
        </div>
      </div>
    </Screen>
  );
}

const Heading = ({ queue }: { queue: NamedQueue }) => (
  <span class="heading-row">
    {queue.queue} <QueueTags queue={queue} />
  </span>
);

const factsOf = (queue: NamedQueue): Fact[] => [
  ['running', atOnce(queue)],
  ['rate', queue.rate_per_second === null ? 'no limit' : rateText(queue.rate_per_second)],
  ['burst', queue.burst === null ? null : count(queue.burst)],
  ['workers', workers(queue)],
  ['paused', queue.paused_at && <WhenAndAgo at={queue.paused_at} />],
  ['new jobs', queue.draining ? 'rejected (draining)' : 'accepted'],
  ...Object.entries(queue.hooks).map(
    ([name, hook]): Fact => [
      name.replaceAll('_', ' '),
      <span key={name} class="mono">
        {hook}
      </span>,
    ],
  ),
];

function atOnce(queue: NamedQueue): ComponentChildren {
  const { concurrency, processing } = queue;
  if (concurrency === null) return `${count(processing)}, no limit`;
  const words = `${count(processing)} of ${count(concurrency)}`;
  return (
    <>
      <Meter used={processing} of={concurrency} isFull={isFull(queue)} label={words} />
      {words}
    </>
  );
}

const workers = ({ workers }: NamedQueue): ComponentChildren =>
  workers === 0 ? (
    <span class="tag bad">none: queuectl worker start</span>
  ) : (
    <a class="link" href="/workers">
      {count(workers)}
    </a>
  );

function commandsOf({ queue, paused_at, draining }: NamedQueue): string[] {
  const name = shellWord(queue);
  return [
    `queuectl queue show ${name}`,
    paused_at !== null || draining ? `queuectl queue resume ${name}` : `queuectl queue pause ${name}`,
    `queuectl queue set ${name} --concurrency 2 --rate 100/m`,
    `queuectl queue set ${name} --sandbox strict --memory 512M --processes 50`,
    `queuectl queue drain ${name}`,
  ];
}

function QueueIsolation({ queue: { sandbox, user, limits } }: { queue: NamedQueue }) {
  const facts = [
    ['sandbox', sandbox],
    ['user', user],
    ...LIMITS.map((limit) => [limitLabel(limit), limitWords(limit, limits)] as const),
  ] as const;
  return (
    <section class="facts isolation" aria-label="isolation">
      <h2>Isolation</h2>
      {facts.some(([, words]) => words) ? (
        <FactList facts={facts} />
      ) : (
        <p class="muted">This queue sets no isolation; each job can set its own.</p>
      )}
    </section>
  );
}
