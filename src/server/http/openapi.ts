// Derives the OpenAPI document from the routes, so that it matches what the server validates.

import type { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { PROBLEM_TYPE } from './problem.ts';
import type { Answers, Route } from '../route.ts';
import { ROUTES } from '../routes/routes.ts';
import { problemSchema } from '../schema/problem.ts';

export function openApiDocument(version: string) {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'queuectl',
      version,
      description: 'All features of `queuectl` over HTTP. JSON has the same format as `--json` on the command line.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }, { cookie: [] }],
    paths: pathsOf(ROUTES),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'queuectl-session' },
      },
    },
  });
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  return paths;
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { parameters, query, headers, body } = route;
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: `Requires the role ${route.role}.`,
    ...((parameters || query || headers) && {
      requestParams: {
        ...(parameters && { path: parameters }),
        ...(query && { query }),
        ...(headers && { header: headers }),
      },
    }),
    ...(body && {
      requestBody: { required: !route.isBodyOptional, content: { 'application/json': { schema: body } } },
    }),
    ...(route.bytes && { requestBody: bytesOf(route.bytes) }),
    responses: {
      ...Object.fromEntries(Object.entries(route.answers).map(([status, answer]) => [status, answerOf(answer)])),
      default: {
        description: 'The request failed and changed nothing.',
        content: { [PROBLEM_TYPE]: { schema: problemSchema } },
      },
    },
  } as ZodOpenApiOperationObject;
}

const bytesOf = (description: string) => ({
  required: true,
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});

const answerOf = ({ help, schema, contentType = 'application/json' }: Answers) => ({
  description: help,
  ...(schema && { content: { [contentType]: { schema: schema as z.ZodType } } }),
});
