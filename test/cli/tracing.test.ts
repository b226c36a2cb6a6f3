// Traces: what a worker tells a collector of the jobs that it runs, and what jobs know of the trace they belong to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Collector, newCollector } from '../support/collector.ts';
import type { Span } from '../support/otlp.ts';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const TELL = 'printf %s "$TRACEPARENT"';

async function drain(queue: TestQueue, env: Readonly<Record<string, string>>): Promise<string> {
  const { code, stderr } = await queue.run(['worker', 'run', '--drain'], { env });
  assert.equal(code, 0, stderr);
  return stderr;
}

const ofJob = ({ spans }: Collector, id: string, name: string): Span[] =>
  spans
    .filter(({ attributes, name: its }) => attributes['messaging.message.id'] === id && its.startsWith(name))
    .sort((a, b) => Number(a.attributes['queuectl.run']) - Number(b.attributes['queuectl.run']));

function enqueueOf(collector: Collector, id: string): Span {
  const [span, ...others] = ofJob(collector, id, 'enqueue ');
  assert.ok(span && others.length === 0, `one enqueue of ${id}`);
  return span;
}

const attemptsOf = (collector: Collector, id: string): Span[] => ofJob(collector, id, 'run ');

const outputOf = (queue: TestQueue, id: string): Promise<string> => queue.text('logs', '--raw', id);

const linked = ({ links }: Span): string[] => links.map(({ spanId }) => spanId);
const idsOf = (spans: readonly Span[]): string[] => spans.map(({ spanId }) => spanId);

test("the enqueuer's trace continues through the job into its command, with a span for each step", async (t) => {
  const [queue, collector] = [newQueue(t), await newCollector(t)];
  const enqueued = await queue.run(
    ['enqueue', '--id', 'a', '--queue', 'mail', '--group', 'g', '--', 'sh', '-c', TELL, 'a secret'],
    { env: { TRACEPARENT, TRACESTATE: 'vendor=1' } },
  );
  assert.equal(enqueued.code, 0);
  await drain(queue, { ...collector.env, OTEL_SERVICE_NAME: 'nightly', TRACEPARENT: 'its own' });
  const enqueue = enqueueOf(collector, 'a');
  const [attempt, ...more] = attemptsOf(collector, 'a');
  assert.ok(attempt && more.length === 0);
  assert.deepEqual([enqueue.traceId, enqueue.parentSpanId], [TRACE, '00f067aa0ba902b7']);
  assert.deepEqual([attempt.traceId, attempt.parentSpanId], [TRACE, enqueue.spanId]);
  assert.equal(await outputOf(queue, 'a'), `00-${TRACE}-${attempt.spanId}-01`);
  const job = await queue.show('a');
  assert.deepEqual(job.env, { TRACEPARENT: '***', TRACESTATE: '***' });
  assert.equal(enqueue.startMs, Date.parse(String(job.created_at)));
  assert.equal(attempt.resource['service.name'], 'nightly');
  const { attributes } = attempt;
  assert.deepEqual(
    ['messaging.destination.name', 'queuectl.group', 'process.executable.name', 'queuectl.outcome'].map(
      (name) => attributes[name],
    ),
    ['mail', 'g', 'sh', 'completed'],
  );
  assert.deepEqual([attributes['process.exit.code'], attributes['queuectl.attempt'], attempt.error], [0, 1, null]);
  assert.equal(typeof attributes['host.name'], 'string');
  assert.match(String(attributes['queuectl.worker']), /^w/);
  assert.doesNotMatch(JSON.stringify(collector.spans), /secret/);
});

test('without a collector the command gets the TRACEPARENT of its enqueuer unchanged', async (t) => {
  const queue = newQueue(t);
  await queue.run(['enqueue', '--id', 'a', TELL], { env: { TRACEPARENT } });
  await queue.run(['enqueue', '--id', 'none', TELL], { env: { TRACEPARENT: '00-0-0-00' } });
  await queue.run(['enqueue', '--id', 'alone', '--no-inherit-env', TELL], { env: { TRACEPARENT } });
  await drain(queue, { TRACEPARENT: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` });
  assert.equal(await outputOf(queue, 'a'), TRACEPARENT);
  for (const id of ['none', 'alone']) assert.equal(await outputOf(queue, id), '');
});

test('each attempt has a span below one enqueue span, and failed attempts carry their error', async (t) => {
  const [queue, collector] = [newQueue(t), await newCollector(t)];
  await queue.prepare('config', 'set', 'backoff_base', '0');
  await queue.enqueue('--id', 'a', '--max-retries', '2', 'echo oh no >&2; [ $QUEUECTL_ATTEMPT = 3 ]');
  await queue.enqueue('--id', 'dead', '--max-retries', '0', 'KEY=secret /bin/false secret');
  await queue.enqueue('--id', 'gone', '--max-retries', '0', '--', '/no/such/program');
  await drain(queue, collector.env);
  const attempts = attemptsOf(collector, 'a');
  assert.deepEqual(
    attempts.map(({ error, attributes }) => [error, attributes['queuectl.attempt'], attributes['queuectl.state']]),
    [
      ['exit code 1: oh no', 1, 'failed'],
      ['exit code 1: oh no', 2, 'failed'],
      [null, 3, 'completed'],
    ],
  );
  const enqueue = enqueueOf(collector, 'a');
  assert.ok(
    attempts.every(({ parentSpanId, traceId }) => parentSpanId === enqueue.spanId && traceId === enqueue.traceId),
  );
  assert.equal(new Set(idsOf(attempts)).size, 3);
  const [dead] = attemptsOf(collector, 'dead');
  assert.deepEqual([dead?.error, dead?.attributes['process.executable.name']], ['exit code 1', 'false']);
  assert.match(attemptsOf(collector, 'gone')[0]?.error ?? '', /program '.*' not found/);
  assert.notEqual(enqueueOf(collector, 'dead').traceId, enqueue.traceId);
  assert.doesNotMatch(JSON.stringify(collector.spans), /secret/);
});

test('a job is linked to its dependencies, and a hook to its job', async (t) => {
  const [queue, collector] = [newQueue(t), await newCollector(t)];
  await queue.prepare('config', 'set', 'backoff_base', '0');
  await queue.enqueue('--id', 'first', '--on-success', 'true', '[ $QUEUECTL_ATTEMPT = 2 ]');
  await queue.enqueue('--array', '1-3', '--group', 'parts', '--after', 'first', 'echo {}');
  await queue.enqueue('--id', 'last', '--after', 'group:parts', '--after', 'first', 'true');
  await drain(queue, collector.env);
  const parts = (await queue.jobs('--group', 'parts')).map(({ id }) => String(id));
  const [failed, completed] = attemptsOf(collector, 'first');
  assert.ok(failed && completed && parts.length === 3);
  for (const id of parts) assert.deepEqual(attemptsOf(collector, id).map(linked), [[completed.spanId]]);
  const [last] = attemptsOf(collector, 'last');
  const parents = parts.flatMap((id) => attemptsOf(collector, id));
  assert.deepEqual(linked(last as Span).sort(), [...idsOf(parents), completed.spanId].sort());
  const hook = (await queue.jobs('--limit', '0')).find(({ hook_of }) => hook_of === 'first');
  assert.deepEqual(attemptsOf(collector, String(hook?.id)).map(linked), [[completed.spanId]]);
});

test('a job enqueued by a job continues its trace', async (t) => {
  const [queue, collector] = [newQueue(t), await newCollector(t)];
  const password = URL.parse(queue.place.QUEUECTL_DB ?? '')?.password ?? ''; // jobs are not told of it
  await queue.enqueue('--id', 'outer', '-e', `PGPASSWORD=${password}`, 'queuectl enqueue --id inner true');
  await drain(queue, collector.env);
  const [outer] = attemptsOf(collector, 'outer');
  const inner = enqueueOf(collector, 'inner');
  assert.deepEqual([inner.traceId, inner.parentSpanId], [outer?.traceId, outer?.spanId]);
});

test('an attempt whose worker was killed is reported once by the next worker', async (t) => {
  const [queue, collector] = [newQueue(t), await newCollector(t)];
  await queue.enqueue('--id', 'a', 'echo x >> starts; [ "$(wc -l < starts)" -gt 1 ] || sleep 100');
  const lost = queue.start(['worker', 'run'], { env: collector.env });
  await until('it runs', () => queue.files().includes('starts'));
  lost.kill('SIGKILL');
  await lost.ended;
  assert.deepEqual(collector.spans, []);
  await drain(queue, collector.env);
  const attempts = attemptsOf(collector, 'a');
  assert.deepEqual(
    attempts.map(({ attributes, error }) => [attributes['queuectl.outcome'], error !== null]),
    [
      ['worker_lost', true],
      ['completed', false],
    ],
  );
  for (const { spanId } of [...attempts, enqueueOf(collector, 'a')]) assert.equal(collector.timesSeen(spanId), 1);
});

test('a missing, slow or failing collector delays and fails nothing', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('config', 'set', 'backoff_base', '0');
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_BSP_SCHEDULE_DELAY: '10' };
  const silent = await newCollector(t, () => null);
  const rude = await newCollector(t, () => ({ status: 400, body: 'no' }));
  for (const env of [away, silent.env, rude.env]) {
    const id = await queue.enqueue('true');
    assert.match(await drain(queue, env), /cannot export traces; jobs continue without them: /);
    assert.equal((await queue.show(id)).state, 'completed');
  }
});

test('invalid tracing settings are reported, and jobs run without traces', async (t) => {
  const queue = newQueue(t);
  const wrong = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' }, /tracing disabled: OTEL_EXPORTER_OTLP_ENDPOINT/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /tracing disabled: .* only OTLP over HTTP/,
    ],
  ] as const;
  for (const [env, said] of wrong) {
    const id = await queue.enqueue('true');
    assert.match(await drain(queue, env), said);
    assert.equal((await queue.show(id)).state, 'completed');
  }
});
