// Reads the OpenTelemetry variables for traces, with the names and defaults of its specification.
// docs/guides/tracing.md lists the supported ones. Pure.

import { makeSampler, type Sampler } from './sampler.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface TracingConfig {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: Sampler;
  /** Maximum delay of a span before its batch is sent. */
  readonly delayMs: number;
  readonly batchSize: number;
  /** Maximum number of waiting spans; more are dropped. */
  readonly queueSize: number;
}

/** Throws an error with one sentence about an invalid value. */
export function tracingConfig(environment: Environment): TracingConfig {
  const otlp = (name: string): string | undefined =>
    environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`];
  if (otlp('PROTOCOL') === 'grpc')
    throw new Error('OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but only OTLP over HTTP is supported');
  const queueSize = whole(environment, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  return {
    endpoint: endpointIn(environment),
    headers: pairsIn(otlp('HEADERS')),
    timeoutMs: whole({ timeout: otlp('TIMEOUT') }, 'timeout', 10_000),
    resource: resourceIn(environment),
    sampler: makeSampler(environment.OTEL_TRACES_SAMPLER, environment.OTEL_TRACES_SAMPLER_ARG),
    delayMs: whole(environment, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
    batchSize: Math.min(queueSize, whole(environment, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
    queueSize,
  };
}

/** The traces endpoint is used unchanged; the general endpoint gets the traces path appended. */
function endpointIn(environment: Environment): URL {
  const own = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const text = own || `${base.replace(/\/+$/, '')}/v1/traces`;
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, for example http://127.0.0.1:4318');
}

const resourceIn = (environment: Environment): Record<string, string> => ({
  'service.name': 'queuectl',
  ...pairsIn(environment.OTEL_RESOURCE_ATTRIBUTES),
  ...(environment.OTEL_SERVICE_NAME && { 'service.name': environment.OTEL_SERVICE_NAME }),
});

/** Parses a=b,c=d with percent-encoding. Ignores anything that is not a pair. */
function pairsIn(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    const [name, value] = [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    return at > 0 && name ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

function whole(environment: Environment, name: string, usual: number): number {
  const value = Number(environment[name] || usual);
  return Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : usual;
}
