// Whether a worker sends traces of what it runs to an OpenTelemetry collector. The rest of tracing is loaded only when it is asked for.

import type { Tracer, TracerContext } from '../tracing/tracer.ts';

export type { Noted, Tracer } from '../tracing/tracer.ts';

const isWanted = (environment: TracerContext['environment']): boolean =>
  Boolean(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT) &&
  environment.OTEL_TRACES_EXPORTER !== 'none' &&
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';

/** null: there are no traces. If tracing is set up wrongly the log says so, and jobs run all the same. */
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
