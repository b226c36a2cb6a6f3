// Holds what a server answers against what its document says: every status is named, no key is missing and none too many.

import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { Route } from '../../src/server/route.ts';
import { ROUTES } from '../../src/server/routes/routes.ts';
import { problemSchema } from '../../src/server/schema/problem.ts';

/** `path` is what was asked for, below /api/v1. */
export function checkAnswer(method: string, path: string, status: number, type: string | null, json: unknown): void {
  if (status >= 400) {
    checkProblem(status, type, json);
    return;
  }
  const route = routeOf(method, path);
  if (route === undefined) return;
  const answer = route.answers[status];
  assert.ok(answer, `${route.id} says nothing of the status ${status}`);
  if (answer.schema && answer.contentType === undefined) checkStrictly(answer.schema, json, route.id);
}

export function checkProblem(status: number, type: string | null, json: unknown): void {
  assert.equal(type, 'application/problem+json');
  checkStrictly(problemSchema, json, 'the problem');
  assert.equal((json as { status: number }).status, status);
}

/** What a schema does not know, it leaves out. */
export function checkStrictly(schema: z.ZodType, json: unknown, what: string): void {
  const { success, data, error } = schema.safeParse(json);
  assert.ok(success, `${what}: ${error?.message} in ${JSON.stringify(json)}`);
  assert.deepEqual(data, json, what);
}

/** A path that is written out goes before one with a parameter in its place. */
function routeOf(method: string, path: string): Route | undefined {
  const [bare = ''] = path.split('?');
  const matching = ROUTES.filter((route) => route.method === method.toLowerCase() && patternOf(route).test(bare));
  return matching.sort((a, b) => parametersIn(a) - parametersIn(b))[0];
}

const patternOf = ({ path }: Route): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const parametersIn = ({ path }: Route): number => path.match(/\{/g)?.length ?? 0;
