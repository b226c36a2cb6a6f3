// Decides whether a worker exports traces to an OpenTelemetry collector. The tracing code is loaded only if it does.

import type { Tracer, TracerContext } from '../tracing/tracer.ts';

export type { Noted, Tracer } from '../tracing/tracer.ts';

const isWanted = (environment: TracerContext['environment']): boolean =>
  Boolean(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT) &&
  environment.OTEL_TRACES_EXPORTER !== 'none' &&
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';

/** Returns null if tracing is off. Invalid tracing settings are logged, and jobs run without traces. */
export async function openTracer(context: TracerContext): Promise<Tracer | null> {
  if (!isWanted(context.environment)) return null;
  try {
    const { Tracer } = await import('../tracing/tracer.ts');
    return new Tracer(context);
  } catch (error) {
    context.log(`tracing disabled: ${(error as Error).message}`);
    return null;
  }
}
