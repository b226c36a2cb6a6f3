// From the arguments of a call to what its route asked for: each goes to the path, the query, the body or the headers, and those
// are checked whole as those of a request are.

import { QueueError } from '../errors/errors.ts';
import { checked, type Read, unknownParameter } from '../server/http/read-request.ts';
import { namesIn, type Tool } from './tool.ts';

export type Arguments = Readonly<Record<string, unknown>>;

const WHERE = 'the arguments';

/** Else unknown_parameter or invalid_arguments. */
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

/** Models say null for what they leave out; only in a body it means something. */
const withoutNulls = (said: Arguments, names: readonly string[]): Arguments =>
  picked(
    said,
    names.filter((name) => said[name] !== null),
  );

const headersIn = (said: Arguments, headers: Readonly<Record<string, string>>): Arguments =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [header, said[name] ?? undefined]));

/** The same sentence with a hint that helps here. */
function asArguments(error: unknown, { name }: Tool): unknown {
  if (!(error instanceof QueueError) || error.code !== 'invalid_request') return error;
  return new QueueError('invalid_arguments', { ...error.details, tool: name }, { cause: error });
}
