// Enqueues jobs that refer to each other by name, from a file or from arguments. All of them are stored, or none.

import { readFileSync } from 'node:fs';
import { QueueError, usageError } from '../../errors/errors.ts';
import { type FlowJob, isFlow, jobsOf } from '../../flow/document.ts';
import { inWordsOfFlow, type ResolvedJob, resolveNames } from '../../flow/references.ts';
import { newJobId } from '../../job/id.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { randomBytes } from '../../system/random.ts';
import type { Result } from '../command.ts';
import { arrivedText } from './enqueued.ts';
import { waitForEnqueued } from './enqueue-wait.ts';
import { unreadable } from './input-lines.ts';
import { jobLines } from '../jobs/job-lines.ts';
import { sayIfTooLarge } from './too-large-notice.ts';
import { enqueueIntake } from './work-defaults.ts';
import { suggestWorker } from './suggest-worker.ts';
import { type EnqueueContext, isAwaited } from '../options/enqueue-options.ts';

export const enqueueYamlFile = (context: EnqueueContext, path: string): Promise<Result> =>
  enqueueYaml(context, textOf(path), path);

export async function enqueueYaml(context: EnqueueContext, text: string, path: string): Promise<Result> {
  const { readYaml } = await import('../../flow/yaml.ts');
  const document = readYaml(text);
  if (document.value === null) throw noJobsIn(path === '-' ? 'stdin' : `'${path}'`);
  return enqueueFlow(context, jobsOf(document));
}

/** `value` is the parsed text. Duplicate job names are found in the text: JSON.parse() keeps only the last one. */
export async function enqueueJsonFlow(context: EnqueueContext, text: string, value: unknown): Promise<Result> {
  if (!isFlow(value)) return enqueueFlow(context, jobsOf({ value, locate: () => null }));
  const { locateInJson } = await import('../../flow/yaml.ts');
  return enqueueFlow(context, jobsOf(locateInJson(text, value)));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

async function enqueueFlow(context: EnqueueContext, written: readonly FlowJob[]): Promise<Result> {
  if (written.length === 0) throw noJobsIn('the workflow');
  const jobs = resolveNames(written, () => newJobId(randomBytes));
  const queue = await context.queue();
  const isToWait = isAwaited(context, queue);
  const { read, enqueue } = await enqueueIntake(context, queue);
  const checked = jobs.map((job) => readOne(read, job));
  const stored = await enqueue(checked).catch((error: unknown) => {
    throw inWordsOfFlow(error, jobs);
  });
  await sayIfTooLarge(context, queue, stored);
  if (isToWait) return waitForEnqueued(context, queue, stored);
  await suggestWorker(context, queue, stored);
  return answer(context, checked, stored);
}

const noJobsIn = (where: string): QueueError => usageError(`no jobs in ${where}`, "list them in the field 'jobs'");

/** In YAML, true, 5 and 2026-01-01 are not texts. */
const QUOTES = 'quote values that are meant as text, for example "true"';

function readOne(read: (raw: unknown) => NewJob, { fields, where }: ResolvedJob): NewJob {
  try {
    return read(fields);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    const hint = error.hint ?? (where.startsWith('line') ? QUOTES : '');
    throw new QueueError('invalid_input', { where, problem: error.message, hint });
  }
}

/** Shows the name of each job next to its ID. */
function answer({ options }: EnqueueContext, given: readonly NewJob[], jobs: readonly Job[]): Result {
  const lines = jobLines(jobs, (job, i) => {
    const text = arrivedText(given[i], job);
    return [job.name ?? '', text].join('  ').trim();
  });
  return options.has('print-id') ? { ...lines, text: jobs.map(({ id }) => id).join('\n') } : lines;
}
