// A tool: a route of the HTTP API with a name and description for models. The route defines its input, permissions and
// output.

import { z } from 'zod';
import { isChange } from '../server/record.ts';
import type { Route } from '../server/route.ts';
import { ROUTES } from '../server/routes/routes.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly route: Route;
  /** Name of the argument that is the whole body; otherwise each field of the body is an argument. */
  readonly body?: string | undefined;
  /** Arguments that become request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Defaults that differ from the route's, where a model should get less data than the dashboard. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  /** True if it deletes something or runs commands, so that a user should confirm it. */
  readonly isDestructive?: boolean;
  /** True if repeating it has no further effect. */
  readonly isIdempotent?: boolean;
  /** True if its commands may reach anything. */
  readonly runsCommands?: boolean;
}

export const routeNamed = (id: string): Route => {
  const found = ROUTES.find((route) => route.id === id);
  if (!found) throw new Error(`route ${id} not found`);
  return found;
};

/** Definition in the format of the protocol. */
export const definitionOf = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: inputSchemaOf(tool),
  annotations: {
    readOnlyHint: !isChange(tool.route),
    destructiveHint: tool.isDestructive ?? false,
    idempotentHint: tool.isIdempotent ?? !isChange(tool.route),
    openWorldHint: tool.runsCommands ?? false,
  },
});

type Properties = Readonly<Record<string, object>>;

interface Part {
  readonly properties?: Properties;
  readonly required?: string[];
}

/** Combines the schemas of all parts of a request into one object. */
function inputSchemaOf(tool: Tool) {
  const parts = argumentSchemas(tool).map(
    (schema) => z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Part,
  );
  const properties: Properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  return {
    type: 'object' as const,
    properties: withDefaults(properties, tool.defaults ?? {}),
    required: parts.flatMap(({ required = [] }) => required),
    additionalProperties: false,
  };
}

const withDefaults = (properties: Properties, defaults: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name in defaults ? { ...schema, default: defaults[name] } : schema,
    ]),
  );

/** Schemas of path, query, body and headers, if any. */
function argumentSchemas({ route, body, headers = {} }: Tool): z.ZodType[] {
  const { parameters, query } = route;
  const said = Object.entries(headers).map(([name, header]) => [name, route.headers?.shape[header]]);
  return [
    ...(parameters ? [parameters] : []),
    ...(query ? [query] : []),
    ...(route.body ? [body === undefined ? route.body : z.object({ [body]: route.body })] : []),
    z.object(Object.fromEntries(said)),
  ];
}

/** Names of the arguments in one part of a request. */
export const namesIn = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
