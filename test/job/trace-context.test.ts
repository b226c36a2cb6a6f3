import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent, traceContext, traceparentOf, withTrace } from '../../src/job/environment/trace-context.ts';
import { newJob } from '../support/jobs.ts';

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const GOOD = `00-${TRACE}-${SPAN}-01`;

test('a traceparent is read, also of a later version, and written unchanged', () => {
  const read = readTraceparent(GOOD);
  assert.deepEqual(read, { traceId: TRACE, spanId: SPAN, isSampled: true });
  assert.ok(read);
  assert.equal(traceparentOf(read), GOOD);
  assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-02`)?.isSampled, false);
  assert.equal(readTraceparent(`cc-${TRACE}-${SPAN}-01-what`)?.traceId, TRACE);
});

test('an invalid traceparent is ignored', () => {
  const wrong = [
    ...['', 'x', `ff-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}`, `${GOOD}-more`, `${GOOD}\n`, ` ${GOOD}`],
    ...[GOOD.toUpperCase(), `00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`],
  ];
  for (const text of [...wrong, null, undefined]) {
    assert.equal(readTraceparent(text), null, String(text));
    assert.equal(traceContext(text, 'a=b'), null);
  }
});

test('a job gets the trace of its enqueuer unless it has its own', () => {
  const trace = traceContext(GOOD, 'a=b');
  assert.deepEqual(trace, { TRACEPARENT: GOOD, TRACESTATE: 'a=b' });
  assert.deepEqual(traceContext(GOOD, 'x'.repeat(513)), { TRACEPARENT: GOOD });
  assert.deepEqual(withTrace(newJob('a', { env: { A: '1' } }), trace).env, { A: '1', ...trace });
  const own = newJob('a', { env: { TRACEPARENT: 'mine' } });
  assert.equal(withTrace(own, trace), own);
  assert.equal(withTrace(own, null), own);
});
