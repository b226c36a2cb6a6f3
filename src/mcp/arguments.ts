// Maps the arguments of a tool call to the path, query, body and headers of its route, and validates them like a
// request.

import { QueueError } from '../errors/errors.ts';
import { checked, type Read, unknownParameter } from '../server/http/read-request.ts';
import { namesIn, type Tool } from './tool.ts';

export type Arguments = Readonly<Record<string, unknown>>;

const WHERE = 'the arguments';

/** Throws unknown_parameter or invalid_arguments. */
export function readArguments(tool: Tool, given: Arguments): Read {
  const { route, headers = {} } = tool;
  const [inPath, inQuery, inBody] = [namesIn(route.parameters), namesIn(route.query), bodyNames(tool)];
  const known = [...inPath, ...inQuery, ...inBody, ...Object.keys(headers)];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  const said = { ...tool.defaults, ...given };
  try {
    return {
      path: route.parameters && checked(route.parameters, withoutNulls(said, inPath), WHERE),
      query: route.query && checked(route.query, withoutNulls(said, inQuery), WHERE),
      headers: route.headers && checked(route.headers, headersIn(said, headers), WHERE),
      body: route.body && checked(route.body, bodyOf(tool, said, inBody), WHERE),
    };
  } catch (error) {
    throw asArguments(error, tool);
  }
}

const bodyNames = ({ route, body }: Tool): string[] => (body === undefined ? namesIn(route.body) : [body]);

function bodyOf({ body }: Tool, said: Arguments, names: readonly string[]): unknown {
  if (body === undefined) return picked(said, names);
  if (said[body] !== undefined) return said[body];
  throw new QueueError('invalid_request', { where: WHERE, problem: `'${body}' is missing` });
}

const picked = (said: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(names.filter((name) => said[name] !== undefined).map((name) => [name, said[name]]));

/** Models send null for omitted values; null is only meaningful in a body. */
const withoutNulls = (said: Arguments, names: readonly string[]): Arguments =>
  picked(
    said,
    names.filter((name) => said[name] !== null),
  );

const headersIn = (said: Arguments, headers: Readonly<Record<string, string>>): Arguments =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [header, said[name] ?? undefined]));

/** Replaces the hint with one that fits tool calls. */
function asArguments(error: unknown, { name }: Tool): unknown {
  if (!(error instanceof QueueError) || error.code !== 'invalid_request') return error;
  return new QueueError('invalid_arguments', { ...error.details, tool: name }, { cause: error });
}
