// Reads a request of OTLP/HTTP in JSON as strictly as its specification allows: every field known, every id of its length, every
// time a number of nanoseconds. Throws what is wrong.

import assert from 'node:assert/strict';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly resource: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** null: it is unset. */
  readonly error: string | null;
}

type Fields = Record<string, unknown>;

export function readExport(text: string): Span[] {
  const { resourceSpans } = only(JSON.parse(text), ['resourceSpans']);
  return list(resourceSpans).flatMap((of) => {
    const { resource, scopeSpans } = only(of, ['resource', 'scopeSpans', 'schemaUrl']);
    const attributes = readAttributes(only(resource, ['attributes', 'droppedAttributesCount']).attributes);
    assert.equal(typeof attributes['service.name'], 'string', 'a resource has a service.name');
    return list(scopeSpans).flatMap((one) => {
      const { scope, spans } = only(one, ['scope', 'spans', 'schemaUrl']);
      assert.equal(typeof only(scope, ['name', 'version', 'attributes']).name, 'string');
      return list(spans).map((span) => ({ ...readSpan(span), resource: attributes }));
    });
  });
}

const SPAN_FIELDS = [
  ...['traceId', 'spanId', 'traceState', 'parentSpanId', 'flags', 'name', 'kind', 'startTimeUnixNano'],
  ...['endTimeUnixNano', 'attributes', 'droppedAttributesCount', 'events', 'links', 'status'],
];

function readSpan(value: unknown): Omit<Span, 'resource'> {
  const span = only(value, SPAN_FIELDS);
  const [startMs, endMs] = [time(span.startTimeUnixNano), time(span.endTimeUnixNano)];
  assert.ok(startMs <= endMs, 'a span ends after it began');
  assert.ok(typeof span.name === 'string' && span.name !== '');
  assert.ok(Number.isInteger(span.kind) && Number(span.kind) >= 0 && Number(span.kind) <= 5);
  return {
    ...idsIn(span),
    parentSpanId: span.parentSpanId === undefined ? null : hex(span.parentSpanId, 16),
    name: span.name,
    kind: Number(span.kind),
    startMs,
    endMs,
    attributes: readAttributes(span.attributes),
    links: list(span.links ?? []).map((link) => {
      const known = only(link, ['traceId', 'spanId', 'traceState', 'attributes', 'flags']);
      readAttributes(known.attributes ?? []);
      return idsIn(known);
    }),
    error: errorIn(span.status),
  };
}

function errorIn(value: unknown): string | null {
  if (value === undefined) return null;
  const { code, message = '' } = only(value, ['code', 'message']);
  assert.ok(code === 0 || code === 1 || code === 2);
  assert.equal(typeof message, 'string');
  return code === 2 ? String(message) : null;
}

const idsIn = (fields: Fields) => ({ traceId: hex(fields.traceId, 32), spanId: hex(fields.spanId, 16) });

function hex(value: unknown, length: number): string {
  assert.match(String(value), new RegExp(`^[0-9a-f]{${length}}$`));
  assert.doesNotMatch(String(value), /^0+$/, 'an id is not zero');
  return String(value);
}

function time(value: unknown): number {
  assert.ok(typeof value === 'string' && /^\d{16,20}$/.test(value), `nanoseconds in a string: ${value}`);
  return Number(BigInt(value) / 1_000_000n);
}

function readAttributes(value: unknown): Record<string, string | number | boolean> {
  const pairs = list(value).map((attribute): [string, string | number | boolean] => {
    const { key, value: held } = only(attribute, ['key', 'value']);
    assert.ok(typeof key === 'string' && key !== '');
    return [key, readValue(held)];
  });
  const attributes = Object.fromEntries(pairs);
  assert.equal(Object.keys(attributes).length, pairs.length, 'no attribute comes twice');
  return attributes;
}

function readValue(value: unknown): string | number | boolean {
  const { stringValue, intValue, boolValue, ...rest } = value as Fields;
  assert.deepEqual([Object.keys(rest), Object.keys(value as Fields).length], [[], 1]);
  if (typeof stringValue === 'string') return checkedText(stringValue);
  if (typeof boolValue === 'boolean') return boolValue;
  assert.ok(typeof intValue === 'string' && /^-?\d+$/.test(intValue), 'a whole number is in a string');
  return Number(intValue);
}

function checkedText(text: string): string {
  assert.ok(text.length <= 1024 && text.isWellFormed(), 'texts are bounded');
  return text;
}

function only(value: unknown, known: readonly string[]): Fields {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `an object: ${value}`);
  for (const name of Object.keys(value)) assert.ok(known.includes(name), `unknown field '${name}'`);
  return value as Fields;
}

function list(value: unknown): unknown[] {
  assert.ok(Array.isArray(value), 'a list');
  return value;
}
