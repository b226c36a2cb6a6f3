// What a tool is: a route of the HTTP API under a name that a model understands, with a word on what it is for. What it takes, who
// may use it and what it answers is said by the route.

import { z } from 'zod';
import { isChange } from '../server/record.ts';
import type { Route } from '../server/route.ts';
import { ROUTES } from '../server/routes/routes.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly route: Route;
  /** The argument that is the whole body; without it each field of the body is an argument. */
  readonly body?: string | undefined;
  /** Arguments that stand for headers of the request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What is meant by leaving an argument out, where a model should be told less than a page. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  /** It takes something away, or runs what the caller says: nothing to do without asking a person. */
  readonly isDestructive?: boolean;
  /** To do it twice is the same as once. */
  readonly isIdempotent?: boolean;
  /** What it runs may reach anything. */
  readonly runsCommands?: boolean;
}

export const routeNamed = (id: string): Route => {
  const found = ROUTES.find((route) => route.id === id);
  if (!found) throw new Error(`there is no route ${id}`);
  return found;
};

/** As the protocol has it. */
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

/** One object of all that the parts of a request take. */
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

/** Of the path, the query, the body and the headers, as far as there are any. */
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

/** The names of a part of a request, which are arguments of the tool. */
export const namesIn = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
