// The document that /openapi.json is: sound by the rules of OpenAPI, and whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { INPUT_RULES } from '../../src/job/fields/fields.ts';
import { RESERVED_JOB_IDS } from '../../src/job/id.ts';
import { openApiDocument } from '../../src/server/http/openapi.ts';
import { ROLES } from '../../src/server/role.ts';
import { ROUTES } from '../../src/server/routes/routes.ts';
import { startServer } from './support.ts';

test('the document is valid OpenAPI 3.1 and equals the served one', async (t) => {
  const { url } = await startServer(t);
  const served = await (await fetch(`${url}/openapi.json`)).json();
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(served));
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(validator.version, '3.1');
  assert.deepEqual(served, JSON.parse(JSON.stringify(openApiDocument('test'))));
});

test('every route is in it once, with a unique name, a summary and its responses', () => {
  const { paths = {} } = openApiDocument('test');
  const operations = Object.values(paths).flatMap((path) => Object.values(path ?? {}));
  assert.equal(operations.length, ROUTES.length);
  assert.equal(new Set(ROUTES.map(({ id }) => id)).size, ROUTES.length);
  for (const { id, summary, answers, role } of ROUTES) {
    assert.match(summary, /^[A-Z].*[^.]$/, id);
    assert.ok(Object.keys(answers).length > 0, id);
    assert.ok(ROLES.includes(role), id);
  }
});

test('it describes the fields of a new job', () => {
  const { paths = {}, components } = openApiDocument('test');
  const body = JSON.stringify(paths['/jobs']?.post?.requestBody);
  assert.match(body, /"\$ref":"#\/components\/schemas\/NewJob"/);
  const { properties = {}, anyOf } = (components?.schemas?.NewJob ?? {}) as {
    properties?: object;
    anyOf?: unknown;
  };
  assert.deepEqual(Object.keys(properties), Object.keys(INPUT_RULES));
  assert.deepEqual(anyOf, [{ required: ['command'] }, { required: ['cmd'] }, { required: ['recipe'] }]);
});

test('no job can have an ID that another route has in its place', () => {
  const ids = ROUTES.filter(({ path }) => path === '/jobs/{id}').map(({ method }) => method);
  const taken = ROUTES.filter(({ path, method }) => /^\/jobs\/[a-z]+$/.test(path) && ids.includes(method));
  assert.deepEqual(
    taken.map(({ path }) => path.slice('/jobs/'.length)),
    RESERVED_JOB_IDS,
  );
});

test('every changing route requires more than the viewer role, except for previews and login', () => {
  const changing = ROUTES.filter(({ method, role }) => method !== 'get' && role === 'viewer');
  assert.deepEqual(
    changing.map(({ id }) => id),
    ['previewSchedule', 'login', 'logout'],
  );
});
