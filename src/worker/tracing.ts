// Decides whether a worker exports traces to an OpenTelemetry collector. The tracing code is loaded only if it does.

import type { Tracer, TracerContext } from '../tracing/tracer.ts';

export type { Noted, Tracer } from '../tracing/tracer.ts';

const isWanted = (environment: TracerContext['environment']): boolean =>
  Boolean(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT) &&
  environment.OTEL_TRACES_EXPORTER !== 'none' &&
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';

export class Tracing {
  /** Null if tracing is off, and before open(). */
  tracer: Tracer | null = null;
  private readonly context: TracerContext;

  constructor(context: TracerContext) {
    this.context = context;
  }

  /** Invalid tracing settings are logged, and jobs run without traces. */
  async open(): Promise<void> {
    if (!isWanted(this.context.environment)) return;
    try {
      const { Tracer } = await import('../tracing/tracer.ts');
      this.tracer = new Tracer(this.context);
    } catch (error) {
      this.context.log(`tracing disabled: ${(error as Error).message}`);
    }
  }
}
