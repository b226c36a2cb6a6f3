import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from './support.ts';

test('a wrong value is described in plain words, without those of the validator', async (t) => {
  const { ask } = await startServer(t);
  const told = async (path: string, body: object): Promise<string> => (await ask('PATCH', path, body)).json.detail;
  assert.equal(
    await told('/queues/mail', { concurrency: 'x' }),
    "'concurrency' in the body: must be a number, not 'x'",
  );
  assert.equal(
    await told('/queues/mail', { concurrency: -3 }),
    "'concurrency' in the body: must be at least 1, not -3",
  );
  assert.equal(
    await told('/queues/mail', { concurrency: 1.5 }),
    "'concurrency' in the body: must be a whole number, not 1.5",
  );
  assert.equal(await told('/queues/mail', { limit: 2 }), "the body: unknown field 'limit'");
  assert.equal(await told('/queues/mail', {}), 'the body: at least one field is required');
});

test('a value that may be a secret is not repeated', async (t) => {
  const { ask } = await startServer(t);
  const { detail } = (await ask('PUT', '/secrets/TOKEN', { value: 123_456 })).json;
  assert.equal(detail, "'value' in the body: must be a string");
  const long = (await ask('POST', '/session', { user: 'x'.repeat(70), password: 'hunter2' })).json;
  assert.doesNotMatch(JSON.stringify(long), /hunter2|xxx/);
});
