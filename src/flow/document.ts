// Parses a workflow document: jobs that refer to each other by name, with shared defaults and source positions.
// src/job/input/input.ts validates the jobs themselves.

import { QueueError } from '../errors/errors.ts';
import { inSnakeCase } from '../job/fields/field.ts';
import { nearest } from '../text/nearest.ts';

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** A parsed file, and the position of its parts, such as 'line 4'; null if unknown. */
export interface Document {
  readonly value: unknown;
  readonly locate: (path: Path) => string | null;
}

/** One job of a workflow, with defaults applied, and its position. */
export interface FlowJob {
  readonly name: string | null;
  readonly fields: Fields;
  readonly where: string;
}

const FLOW_FIELDS = ['group', 'defaults', 'jobs'];

/** True for a workflow, false for a single job. */
export const isFlow = (value: unknown): boolean => isObject(value) && 'jobs' in value;

/** Returns the jobs of a workflow, a list, or a single job. */
export function jobsOf(document: Document): FlowJob[] {
  const { value } = document;
  if (Array.isArray(value)) return listed(value, [], {}, document);
  if (!isFlow(value)) {
    checkForFlow(value, document);
    return [jobAt([], value, null, {}, 'job 1', document)];
  }
  const flow = value as Fields;
  checkFields(flow, document);
  const common = commonOf(flow, document);
  if (Array.isArray(flow.jobs)) return listed(flow.jobs, ['jobs'], common, document);
  if (isObject(flow.jobs)) return named(flow.jobs, common, document);
  throw wrong(placeOf(['jobs'], 'the workflow', document), "'jobs' must be a list, or an object of names and jobs");
}

/** A document without a command, but with a key similar to `jobs`, is probably meant as a workflow. */
function checkForFlow(value: unknown, document: Document): void {
  if (!isObject(value) || 'command' in value || 'cmd' in value) return;
  const meant = Object.keys(value).find((field) => nearest(field, ['jobs']) !== null);
  if (meant !== undefined) checkFields({ [meant]: null }, document);
}

function checkFields(flow: Fields, document: Document): void {
  const unknown = Object.keys(flow).find((field) => !FLOW_FIELDS.includes(field));
  if (unknown === undefined) return;
  const near = nearest(unknown, FLOW_FIELDS);
  throw wrong(
    placeOf([unknown], 'the workflow', document),
    `unknown workflow field '${unknown}'`,
    near ? `did you mean '${near}'?` : `use ${FLOW_FIELDS.join(', ')}; put fields for every job into defaults`,
  );
}

/** Returns the defaults of all jobs. */
function commonOf({ group, defaults }: Fields, document: Document): Fields {
  if (defaults !== undefined && defaults !== null && !isObject(defaults))
    throw wrong(placeOf(['defaults'], 'the workflow', document), "'defaults' must be an object of fields");
  return { ...(group === undefined ? {} : { group }), ...(defaults as Fields | null | undefined) };
}

const listed = (list: readonly unknown[], path: Path, common: Fields, document: Document): FlowJob[] =>
  list.map((job, i) => jobAt([...path, i], job, null, common, `job ${i + 1}`, document));

const named = (jobs: Fields, common: Fields, document: Document): FlowJob[] =>
  Object.entries(jobs).map(([name, job]) =>
    jobAt(['jobs', name], shorthand(job), name, common, `job '${name}'`, document),
  );

/** In a map, a bare command is enough: `build: make`. */
const shorthand = (job: unknown): unknown => (typeof job === 'string' || Array.isArray(job) ? { command: job } : job);

function jobAt(
  path: Path,
  job: unknown,
  key: string | null,
  common: Fields,
  fallback: string,
  document: Document,
): FlowJob {
  const where = placeOf(path, fallback, document);
  if (!isObject(job)) throw wrong(where, 'a job must be an object', hintFor(job));
  if (key !== null && job.name !== undefined && job.name !== key)
    throw wrong(where, `job '${key}' has a different name field: '${String(job.name)}'`, 'keep one of the two names');
  const name = key ?? (typeof job.name === 'string' ? job.name : null);
  const fields = { ...withoutSame(common, job), ...job, ...(key === null ? {} : { name: key }) };
  return { name, fields, where };
}

/** YAML converts true, 5 and empty values to other types. */
const hintFor = (job: unknown): string =>
  typeof job === 'boolean' || typeof job === 'number'
    ? `if this is the command, quote it: "${job}"`
    : 'write a job as {"command":"sleep 2"}';

const placeOf = (path: Path, fallback: string, { locate }: Document): string => locate(path) ?? fallback;

/** Without this, a default in snake_case and a field in camelCase would count as a contradiction. */
function withoutSame(common: Fields, job: Fields): Fields {
  const own = new Set(Object.keys(job).map(inSnakeCase));
  return Object.fromEntries(Object.entries(common).filter(([name]) => !own.has(inSnakeCase(name))));
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const wrong = (where: string, problem: string, hint = ''): QueueError =>
  new QueueError('invalid_input', { where, problem, hint });
