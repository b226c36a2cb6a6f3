// Converts jobs and edits to JSON for a server. Omitted fields are not sent, so that the server applies its defaults.

import { inputOfChange } from '../job/input/isolation-edit.ts';
import { inputOfConfinement } from '../job/input/isolation-input.ts';
import type { Edit } from '../job/input/edit.ts';
import { freshJob } from '../job/fresh-job.ts';
import { inSnakeCase } from '../job/input/input.ts';
import type { NewJob } from '../job/job.ts';
import { inputOfRules, isOutcomeField, type OutcomeChange } from '../job/input/outcome-input.ts';
import { isoTime, type Json, jobToJson } from '../job/wire.ts';
import { QueueError } from '../errors/errors.ts';
import type { JobTemplate } from '../schedule/job-template.ts';

/** Fields that are converted separately. */
const NO_FIELDS: ReadonlySet<string> = new Set(['outcomeRules', 'confinement', 'stdin']);

/** Returns the given fields, and the ID, so that a repeated request enqueues the job only once. */
export function newJobToWire(job: NewJob, said: readonly string[]): Json {
  const whole = jobToJson(freshJob(job, 0), { env: true });
  const fields = said.filter((field) => !isOutcomeField(field) && !NO_FIELDS.has(field));
  const entries = fields.map((field) => {
    const name = inSnakeCase(field);
    return [name, whole[name] ?? job[field as keyof NewJob]];
  });
  return {
    ...Object.fromEntries(entries),
    ...(said.some(isOutcomeField) && inputOfRules(job.outcomeRules)),
    ...(job.stdin && { stdin: textOf(job.stdin) }),
    id: job.id,
  };
}

/** JSON cannot contain arbitrary bytes. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new QueueError('invalid_job', {
      problem: 'the standard input is not text, and only text can be sent to a server',
      hint: 'put it in a file on the server and let the command read that file',
    });
  }
}

/** Returns all fields of a schedule's job. */
export function templateToWire(template: JobTemplate): Json {
  const { outcomeRules, confinement = null, ...fields } = template;
  const entries = Object.entries(fields)
    .filter(([field]) => field !== 'command' || confinement?.recipe === undefined)
    .map(([field, value]) => [inSnakeCase(field), value]);
  return {
    ...Object.fromEntries(entries),
    ...inputOfRules(outcomeRules ?? null),
    ...(confinement && inputOfConfinement(confinement)),
  };
}

/** Null resets a field. */
export function editToWire({ outcome, hooks, runAt, confinement, ...fields }: Edit): Json {
  const entries = Object.entries(fields).map(([field, value]) => [inSnakeCase(field), value]);
  return {
    ...Object.fromEntries(entries),
    ...(runAt !== undefined && { run_at: isoTime(runAt) }),
    ...(outcome && outcomeToWire(outcome)),
    ...hooks,
    ...(confinement && inputOfChange(confinement)),
  };
}

function outcomeToWire({ warnSignal, ...change }: OutcomeChange): Json {
  const entries = Object.entries(change).map(([field, value]) => [inSnakeCase(field), value]);
  const seconds = warnSignal?.seconds == null ? '' : `@${warnSignal.seconds}s`;
  return {
    ...Object.fromEntries(entries),
    ...(warnSignal !== undefined && { warn_signal: warnSignal && `${warnSignal.signal}${seconds}` }),
  };
}
