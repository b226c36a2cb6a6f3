// What the variables of OpenTelemetry mean, and which traces they choose.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceParent } from '../../src/job/environment/trace-context.ts';
import { tracingConfig } from '../../src/tracing/config.ts';
import { makeSampler } from '../../src/tracing/sampler.ts';

const endpoint = (environment: Record<string, string>): string => tracingConfig(environment).endpoint.href;

test('a traces endpoint is used unchanged, and the general endpoint gets the path of traces', () => {
  for (const base of ['http://h:4318', 'http://h:4318/'])
    assert.equal(endpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: base }), 'http://h:4318/v1/traces');
  assert.equal(endpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://h/otlp' }), 'https://h/otlp/v1/traces');
  const both = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b/t' };
  assert.equal(endpoint(both), 'http://b/t');
  for (const wrong of ['', 'h:4318', 'ftp://h', 'nonsense'])
    assert.throws(() => endpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: wrong }), /for example http:/, wrong);
});

test('headers and resource attributes are percent-encoded pairs, and a service name wins', () => {
  const { headers, resource } = tracingConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-a=1=2,nonsense,=y',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'mine',
  });
  assert.deepEqual(headers, { authorization: 'Bearer a=b', 'x-a': '1=2' });
  assert.deepEqual(resource, { 'service.name': 'mine', 'deployment.environment.name': 'test' });
});

test('invalid numbers fall back to the defaults', () => {
  const { timeoutMs, delayMs, batchSize, queueSize } = tracingConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '250',
    OTEL_BSP_SCHEDULE_DELAY: '-1',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 'many',
  });
  assert.deepEqual([timeoutMs, delayMs, batchSize, queueSize], [250, 5000, 100, 100]);
});

const low = `${'f'.repeat(18)}${'0'.repeat(13)}1`;
const high = 'f'.repeat(32);
const parent = (isSampled: boolean): TraceParent => ({ traceId: low, spanId: '1'.repeat(16), isSampled });

test('samplers are selected by name, and an unknown one follows the parent', () => {
  const cases: [string, string, boolean, boolean, boolean][] = [
    // name, argument, no parent, sampled parent, unsampled parent
    ['always_on', '', true, true, true],
    ['always_off', '', false, false, false],
    ['parentbased_always_on', '', true, true, false],
    ['parentbased_always_off', '', false, true, false],
    ['parentbased_traceidratio', '0', false, true, false],
    ['', '', true, true, false],
    ['what', '', true, true, false],
  ];
  for (const [name, argument, alone, on, off] of cases) {
    const sampler = makeSampler(name, argument);
    const answers = [null, parent(true), parent(false)].map((one) => sampler(low, one));
    assert.deepEqual(answers, [alone, on, off], name);
  }
});

test('a ratio samples a share of the traces, the same ones everywhere', () => {
  const half = makeSampler('traceidratio', '0.5');
  assert.deepEqual([half(low, null), half(high, null)], [true, false]);
  for (const nonsense of ['', '2', 'x']) assert.equal(makeSampler('traceidratio', nonsense)(high, null), true);
});
